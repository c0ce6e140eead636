/**
 * Plans, notes and specifications that agents and planning tools leave in repositories. They tell what is to be built, so
 * no state has them. Path keys, matched whole, in any letter case.
 */
export const AGENT_NOTES: readonly RegExp[] = [
  /^(?:.*\/)?\.(?:claude|cursor|codex|gemini|windsurf|agents?|ai)\/(?:plans?|notes?|specs?|tasks?|todos?|memory|memories|docs)\/.*$/i,
  /^(?:.*\/)?\.(?:specify|specstory|kiro|taskmaster|plans?|superpowers)\/.*$/i,
  /^(?:.*\/)?(?:memory-bank|cline_docs)\/.*$/i,
  /^(?:docs?\/)?(?:superpowers|ai-plans|agent-plans|agent-notes)\/.*$/i,
  /^openspec\/changes\/.*$/i,
  /^specs\/[0-9]{3,}-[^/]+\/(?:spec|plan|tasks|research|data-model|quickstart)\.md$/i,
  /^(?:docs?\/)?(?:implementation|design|refactor|migration|feature)[-_]?plan(?:[-_][^/]*)?\.md$/i,
  /^(?:docs?\/)?(?:plan|progress|scratchpad|handoff|agent[-_]notes|session[-_]notes|implementation[-_](?:notes|summary))\.md$/i,
];

/** True for a registered note of an agent. */
export function isAgentNote(key: string): boolean {
  return AGENT_NOTES.some((pattern) => pattern.test(key));
}
