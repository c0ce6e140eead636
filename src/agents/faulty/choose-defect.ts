import { type Random, shuffled } from '#kernel/random.js';
import type { ReferenceHand } from '../contract.js';
import { type Defect, findDefects, type Mutation } from './defects.js';

export interface DefectWish {
  stage: number;
  random: Random;
  /** Only this kind. */
  mutation: Mutation | null;
  /** Only lines that contain this text. */
  match: string | null;
}

/** Quiet defects, which compute something wrong, come before loud ones, which break a whole function. */
const QUIET: ReadonlySet<Mutation> = new Set(['comparison', 'boolean', 'number', 'logic', 'negation', 'arithmetic']);

/**
 * Picks a defect among the source lines that a stage added: lines that stand unchanged in all later states and only
 * once in their file come first, because what is spoilt there stays spoilt to the end. Equal streams pick equally.
 * @returns null where no line can be spoilt as wished
 */
export async function chooseDefect(reference: ReferenceHand, wish: DefectWish): Promise<Defect | null> {
  const found: { defect: Defect; lasting: boolean }[] = [];
  const later = await laterTexts(reference, wish.stage);
  for (const file of await reference.sourceOf(wish.stage)) {
    const text = file.text.toString('utf8');
    for (const defect of await findDefects(file.path, file.text, file.addedLines)) {
      if (wish.mutation !== null && defect.mutation !== wish.mutation) continue;
      if (wish.match !== null && !defect.before.includes(wish.match)) continue;
      const texts = [text, ...(later.get(file.path) ?? [])];
      found.push({ defect, lasting: texts.every((one) => countLines(one, defect.before) === 1) });
    }
  }
  const ranked = shuffled(found, wish.random).sort((a, b) => rank(b) - rank(a));
  return ranked[0]?.defect ?? null;
}

function rank({ defect, lasting }: { defect: Defect; lasting: boolean }): number {
  return (lasting ? 2 : 0) + (QUIET.has(defect.mutation) ? 1 : 0);
}

/** By path, the file's texts after each later stage that changes it. */
async function laterTexts(reference: ReferenceHand, stage: number): Promise<Map<string, string[]>> {
  const texts = new Map<string, string[]>();
  for (let later = stage + 1; later < reference.stages; later += 1) {
    for (const { path, text } of await reference.sourceOf(later))
      texts.set(path, [...(texts.get(path) ?? []), text.toString('utf8')]);
  }
  return texts;
}

function countLines(text: string, line: string): number {
  return text.split('\n').filter((one) => one === line).length;
}
