import { join } from 'node:path';
import { openTaskPackage, type TaskPackage, withTemporaryFolder } from '#store/index.js';
import { type MakeTaskOptions, makeTask } from './make-task.js';

/** Runs `work` with the sample task, opened, in a temporary folder that is removed afterwards. */
export async function withTask<T>(
  work: (task: TaskPackage, folder: string) => Promise<T>,
  options: MakeTaskOptions = {},
): Promise<T> {
  return withTemporaryFolder('task-test', async (folder) => {
    const task = await openTaskPackage(await makeTask(join(folder, 'task'), options));
    return work(task, folder);
  });
}
