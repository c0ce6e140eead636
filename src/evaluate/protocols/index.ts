/** Who says what when: decides the next step of a run from its history alone. */
export { countWords, stagePrompt } from './prompt.js';
export type { Judgement, PromptSource, Protocol, ProtocolStep, TurnRecord } from './protocol.js';
export { checkProtocol, protocolOf } from './protocol-of.js';
