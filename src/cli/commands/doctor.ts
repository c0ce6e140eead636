import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { Command } from 'commander';
import { EXIT } from '#kernel/exit-codes.js';
import { messageOf } from '#kernel/faults.js';
import { plainEnvironment, runProcess } from '#process/index.js';
import { probeSandboxes } from '#sandbox/index.js';
import type { Bind, CommandContext } from '../context.js';
import { plainText } from '../render/plain-text.js';

interface Examination {
  name: string;
  /** `missing` is a fact that some uses need; only `broken` stops everything. */
  state: 'ok' | 'missing' | 'broken';
  found: string;
  hint: string | null;
}

export function doctorCommand(bind: Bind): Command {
  return new Command('doctor')
    .description('what this machine can and cannot do, and how to fix it')
    .addHelpText('after', '\nExample:\n  featurearc doctor')
    .action(() => bind(examine)());
}

const GIT_AT_LEAST = [2, 38];
const FREE_BYTES_AT_LEAST = 2 * 2 ** 30;

async function examine(context: CommandContext) {
  const examinations: Examination[] = [
    nodeVersion(),
    await gitVersion(),
    await freeSpace(),
    ...(await sandboxes()),
    await program(
      'python3',
      ['python3', '-m', 'pytest', '--version'],
      'pytest suites',
      'Install Python 3 and pytest (python3 -m pip install pytest).',
    ),
    await program('npm', ['npm', '--version'], 'environments of Node projects', 'Install npm, which comes with Node.'),
  ];
  const width = Math.max(...examinations.map(({ name }) => name.length));
  const text = examinations
    .map(
      ({ name, state, found, hint }) =>
        `${state === 'ok' ? 'ok     ' : state.padEnd(7)} ${name.padEnd(width)}  ${plainText(found)}${hint === null ? '' : `\n        ${' '.repeat(width)}  → ${plainText(hint)}`}\n`,
    )
    .join('');
  const isolating = examinations.some(
    ({ name, state }) => (name === 'sandbox bwrap' || name === 'sandbox docker') && state === 'ok',
  );
  const verdict = isolating ? '' : '\nNo sandbox that isolates: only trusted scripted agents can run here.\n';
  context.answer(text + verdict, { examinations, isolating });
  return examinations.some(({ state }) => state === 'broken') ? EXIT.environment : EXIT.yes;
}

function nodeVersion(): Examination {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const fits = major > 20 || (major === 20 && minor >= 19);
  return {
    name: 'node',
    state: fits ? 'ok' : 'broken',
    found: process.version,
    hint: fits ? null : 'Install Node 20.19 or newer.',
  };
}

async function gitVersion(): Promise<Examination> {
  const found = await outputOf(['git', '--version']);
  const [major = 0, minor = 0] = (/([0-9]+)\.([0-9]+)/.exec(found ?? '')?.slice(1) ?? []).map(Number);
  const fits = major > (GIT_AT_LEAST[0] ?? 0) || (major === GIT_AT_LEAST[0] && minor >= (GIT_AT_LEAST[1] ?? 0));
  return {
    name: 'git',
    state: fits ? 'ok' : 'broken',
    found: found ?? 'not found',
    hint: fits ? null : 'Install git 2.38 or newer.',
  };
}

async function freeSpace(): Promise<Examination> {
  const facts = await statfs(tmpdir());
  const bytes = facts.bavail * facts.bsize;
  const fits = bytes >= FREE_BYTES_AT_LEAST;
  return {
    name: 'disk',
    state: fits ? 'ok' : 'broken',
    found: `${(bytes / 2 ** 30).toFixed(1)} GiB free in ${tmpdir()}`,
    hint: fits ? null : 'Free at least 2 GiB, or point TMPDIR elsewhere.',
  };
}

async function sandboxes(): Promise<Examination[]> {
  return (await probeSandboxes()).map(({ kind, usable, reason, hint, isolating, version }) => ({
    name: `sandbox ${kind}`,
    state: usable ? ('ok' as const) : ('missing' as const),
    found: usable
      ? `${version ?? 'usable'}${isolating ? '' : ' (isolates nothing: for trusted scripted agents only)'}`
      : (reason ?? 'not usable'),
    hint,
  }));
}

async function program(name: string, argv: string[], use: string, hint: string): Promise<Examination> {
  const found = await outputOf(argv);
  return {
    name,
    state: found === null ? 'missing' : 'ok',
    found: found ?? `not found: needed for ${use}`,
    hint: found === null ? hint : null,
  };
}

async function outputOf(argv: string[]): Promise<string | null> {
  try {
    const result = await runProcess({ argv, env: { ...plainEnvironment(), HOME: '/nonexistent' }, timeoutMs: 20_000 });
    return result.exitCode === 0 ? (result.stdout.toString('utf8').trim().split('\n')[0] ?? '') : null;
  } catch (thrown) {
    // A program that cannot be started is what this command is there to report.
    return messageOf(thrown).includes('cannot start') ? null : Promise.reject(thrown);
  }
}
