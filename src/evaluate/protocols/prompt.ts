/** What an agent is told at a stage: the requirement and the contract, as they stand, and nothing of any other stage. */
export function stagePrompt(spec: { requirement: string; contract: string }): string {
  return `${spec.requirement.trimEnd()}\n\n${spec.contract.trim()}\n`;
}

/** Words of a text, split at white space. */
export function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}
