import { existsSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Our own files: accounts of two, names of one machine, no resolver (a name that is not in `hosts` does not exist). */
function ownFiles(uid: number): Record<string, string> {
  return {
    passwd: [
      'root:x:0:0:root:/root:/usr/sbin/nologin',
      `user:x:${uid}:${uid}:user:/tmp:/bin/sh`,
      'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n',
    ].join('\n'),
    group: `root:x:0:\nuser:x:${uid}:\nnogroup:x:65534:\n`,
    hosts: '127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n',
    hostname: 'sandbox\n',
    'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files\nservices: files\nprotocols: files\n',
    'resolv.conf': '',
  };
}

/** Small entries of the host's /etc that programs under /usr need and that tell nothing about the operator. */
const COPIED = ['ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'mime.types', 'protocols', 'services', 'ssl/openssl.cnf'];

/** Such entries with too many files to be copied for each sandbox. */
const SHARED = ['alternatives', 'ssl/certs'];

/**
 * Writes the /etc of a sandbox whose commands see themselves as `uid` into `folder`, with empty places for the host's
 * shared entries.
 * @returns paths under /etc to be mounted read-only over those places, at the same path
 */
export async function writeGuestEtc(folder: string, uid: number): Promise<string[]> {
  await mkdir(join(folder, 'ssl'), { recursive: true, mode: 0o755 });
  for (const [name, text] of Object.entries(ownFiles(uid))) await writeFile(join(folder, name), text, { mode: 0o644 });
  for (const name of COPIED) {
    const from = join('/etc', name);
    if (existsSync(from)) await cp(from, join(folder, name), { recursive: true });
  }
  const shared = SHARED.filter((name) => existsSync(join('/etc', name)));
  for (const name of shared) await mkdir(join(folder, name), { mode: 0o755 });
  return shared.map((name) => join('/etc', name));
}
