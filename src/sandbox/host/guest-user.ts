import { readFileSync } from 'node:fs';

const FIRST_UID = 64_000;
const UIDS = 1_500;
let taken = 0;

/**
 * The kernel uid for the next sandbox: one that no account of this machine has, and another one for each of the
 * sandboxes that this process opens. Root only.
 */
export function nextGuestKernelUid(): number {
  const accounts = new Set(
    readFileSync('/etc/passwd', 'latin1')
      .split('\n')
      .map((line) => Number(line.split(':')[2])),
  );
  for (;;) {
    const uid = FIRST_UID + ((process.pid * 7 + taken) % UIDS);
    taken += 1;
    if (!accounts.has(uid)) return uid;
  }
}
