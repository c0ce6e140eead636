import { type Chains, chainsDocument } from '#documents/chains.js';
import { readText } from '#store/index.js';

/** Reads a chains.json. @throws Fault `file-missing`, `document-...` (input) naming file and field */
export async function readChains(file: string): Promise<Chains> {
  return chainsDocument.parse(await readText(file, 'Make it with `featurearc mine REPOSITORY --out FOLDER`.'), file);
}
