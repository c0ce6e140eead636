import { removeControlGroups } from '../cgroups/make-control-group.js';
import { endProcesses } from './end-processes.js';
import { processesMarked } from './process-memory.js';
import { MARKER_NAME, namePrefixOf, removeSandboxHomes } from './sandbox-home.js';

/**
 * Ends what sandboxes of a label left on this host after their harness died: processes by control group and by marker,
 * then the groups and folders themselves. Mounts need no care: they ended with their namespace.
 * @returns how many processes it met
 */
export async function killLeftovers(label: string): Promise<number> {
  const prefix = namePrefixOf(label);
  const marked = async () => processesMarked(`${MARKER_NAME}=${prefix}`);
  const grouped = await removeControlGroups(prefix);
  const found = (await marked()).length;
  await endProcesses(marked);
  await removeSandboxHomes(label);
  return found + grouped;
}
