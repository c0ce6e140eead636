interface ReviewAnswer {
  feature: string;
  stages: string[][];
  decisions: { group: string; action: 'keep'; why: string; cites: string[] }[];
  summary: string;
}

/** A careful reviewer's answer that keeps a chain as it is, made from nothing but what the request says in words. */
export function reviewAnswer(body: Record<string, unknown>): ReviewAnswer {
  const messages = body.messages as { role: string; content: string }[];
  const question = messages.find(({ role }) => role === 'user')?.content ?? '';
  const [chain = '', rest = ''] = question.split('\n# Neighbours');
  const evidence = [...rest.matchAll(/^(e\S+): (g-\S+) -> (g-\S+),/gm)];
  const stages = chain
    .split('\n## Stage ')
    .slice(1)
    .map((stage) => [...stage.matchAll(/^### (g-[0-9a-f]+):/gm)].map(([, id = '']) => id));
  const decisions = stages.flat().map((group) => ({
    group,
    action: 'keep' as const,
    why: 'it extends the feature',
    cites: evidence.filter(([, , from, to]) => from === group || to === group).map(([, id = '']) => id),
  }));
  return { feature: 'A reviewed feature', stages, decisions, summary: 'One feature.' };
}
