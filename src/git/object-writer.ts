import { createHash } from 'node:crypto';
import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { errorCodeOf } from '#kernel/faults.js';
import { unguessableId } from '#kernel/ids.js';
import { diskFault } from '#store/index.js';
import type { ObjectType } from './object-reader.js';

const compress = promisify(deflate);

/** The name of an object: SHA-1 of its header and content (git's object format). */
export function objectId(type: ObjectType, content: Uint8Array): string {
  return createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex');
}

/** Writes loose objects straight into an objects folder: no process, no filter, no index. */
export class ObjectWriter {
  private readonly present = new Set<string>();

  constructor(private readonly objectsDir: string) {}

  /** Tells the writer that an object can be had already, so that it is not written again. */
  know(oid: string): void {
    this.present.add(oid);
  }

  /** @returns the object's id. @throws Fault `disk-full` (environment) */
  async write(type: ObjectType, content: Uint8Array): Promise<string> {
    const oid = objectId(type, content);
    if (this.present.has(oid)) return oid;
    const folder = join(this.objectsDir, oid.slice(0, 2));
    const path = join(folder, oid.slice(2));
    if (!(await exists(path))) {
      const packed = await compress(Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]), { level: 1 });
      const temporary = join(folder, `tmp_obj_${unguessableId(6)}`);
      try {
        await mkdir(folder, { recursive: true });
        await writeFile(temporary, packed, { flag: 'wx', mode: 0o444 });
        await rename(temporary, path);
      } catch (thrown) {
        throw diskFault(thrown, path) ?? thrown;
      }
    }
    this.present.add(oid);
    return oid;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (thrown) {
    if (errorCodeOf(thrown) === 'ENOENT') return false;
    throw thrown;
  }
}
