import { parse as parseToml } from 'smol-toml';
import { z } from 'zod';
import { Fault, messageOf } from '#kernel/faults.js';
import type { ReadInitial, Recipe } from './recipe.js';

const strings = z.array(z.unknown()).transform((items) => items.filter((item) => typeof item === 'string'));
const pyprojectShape = z.looseObject({
  project: z
    .looseObject({
      name: z.string().nullish(),
      version: z.string().nullish(),
      dependencies: strings.nullish(),
      'optional-dependencies': z.record(z.string(), strings).nullish(),
      scripts: z.record(z.string(), z.string()).nullish(),
    })
    .nullish(),
  'dependency-groups': z.record(z.string(), strings).nullish(),
});

/** Where projects keep what their tests need, likeliest first. */
const GROUPS = ['tests', 'test', 'testing', 'dev'];
const REQUIREMENT_FILES = [
  'requirements/tests.txt',
  'requirements/test.txt',
  'requirements/dev.txt',
  'requirements-test.txt',
  'requirements-tests.txt',
  'requirements-dev.txt',
  'test-requirements.txt',
  'dev-requirements.txt',
  'tests/requirements.txt',
];

export const PIP = [
  'python3',
  '-m',
  'pip',
  '--python',
  'venv/bin/python',
  'install',
  '--no-input',
  '--no-compile',
  '--prefer-binary',
  '--quiet',
];
/** Versions that install need not run on this interpreter; an attempt whose runner does not start is none. */
const RUNNER_STARTS = ['venv/bin/python', '-m', 'pytest', '--version'];
export const VENV = ['python3', '-m', 'venv', '--without-pip', 'venv'];

/**
 * Dependencies of a Python project: its own, and those of its tests from dependency groups, extras or requirement files.
 * The project itself is never installed: the workspace stands in for it.
 * @throws Fault `manifest-invalid` (input)
 */
export async function pythonRecipe(read: ReadInitial): Promise<Recipe> {
  const pyproject = await readPyproject(read);
  const project = pyproject?.project ?? null;
  const setup = project === null ? await readSetupFiles(read) : null;
  const ownPackage = project?.name ?? setup?.name ?? null;
  const runtime = project?.dependencies ?? setup?.requires ?? [];
  const groups = { ...project?.['optional-dependencies'], ...pyproject?.['dependency-groups'] };
  const group = GROUPS.find((name) => (groups[name] ?? []).length > 0);
  const inputs = new Map<string, Buffer>();
  const requirementFile = await firstFile(read, REQUIREMENT_FILES);
  const forTests = [...(group === undefined ? [] : (groups[group] ?? []))];
  const loose = [...new Set([...runtime, ...forTests, 'pytest'])].filter((line) => !isOwn(line, ownPackage));
  inputs.set('requirements.txt', Buffer.from(`${loose.join('\n')}\n`));
  const attempts: Recipe['attempts'] = [];
  if (requirementFile !== null) {
    const pinned = pinnedLines(requirementFile.text, ownPackage);
    inputs.set(
      'pinned.txt',
      Buffer.from(`${[...pinned, ...(pinned.some((line) => /^pytest\b/.test(line)) ? [] : ['pytest'])].join('\n')}\n`),
    );
    attempts.push({
      why: `versions of ${requirementFile.path}`,
      commands: [
        VENV,
        [...PIP, '-r', 'pinned.txt'],
        ...(runtime.length === 0 ? [] : [[...PIP, ...runtime]]),
        RUNNER_STARTS,
      ],
    });
  }
  attempts.push({
    why: group === undefined ? 'declared dependencies and pytest' : `declared dependencies and the group ${group}`,
    commands: [VENV, [...PIP, '-r', 'requirements.txt'], RUNNER_STARTS],
  });
  if (forTests.length > 0)
    attempts.push({
      why: 'runtime dependencies and pytest alone',
      commands: [VENV, [...PIP, 'pytest', ...runtime], RUNNER_STARTS],
    });
  return {
    kind: 'python',
    ownPackage,
    ownVersion: project?.version ?? setup?.version ?? null,
    inputs,
    attempts,
    entryPoints: project?.scripts ?? {},
  };
}

async function readPyproject(read: ReadInitial): Promise<z.infer<typeof pyprojectShape> | null> {
  const text = await read('pyproject.toml');
  if (text === null) return null;
  try {
    return pyprojectShape.parse(parseToml(text.toString('utf8')));
  } catch (cause) {
    throw new Fault({
      code: 'manifest-invalid',
      kind: 'input',
      message: `pyproject.toml of the initial state: ${messageOf(cause)}`,
      hint: 'Choose another checkpoint, at which the manifest is valid.',
      cause,
    });
  }
}

/** What setup.cfg and setup.py say in literals; setup.py is read, never run. */
async function readSetupFiles(
  read: ReadInitial,
): Promise<{ name: string | null; version: string | null; requires: string[] }> {
  const cfg = (await read('setup.cfg'))?.toString('utf8') ?? '';
  const py = (await read('setup.py'))?.toString('utf8') ?? '';
  const fromCfg = (key: string): string | null =>
    new RegExp(`^${key}\\s*=\\s*(.+)$`, 'm').exec(cfg)?.[1]?.trim() ?? null;
  const fromPy = (key: string): string | null => new RegExp(`\\b${key}\\s*=\\s*["']([^"']+)["']`).exec(py)?.[1] ?? null;
  const listed = /^install_requires\s*=\s*\n((?:[ \t]+.+\n?)+)/m.exec(cfg)?.[1];
  const requires = listed?.split('\n').map((line) => line.trim()) ?? literalsOf(py, /\binstall_requires\s*=\s*\[/);
  return {
    name: fromCfg('name') ?? fromPy('name'),
    version: fromCfg('version') ?? fromPy('version'),
    requires: requires.filter((line) => line !== '' && !line.startsWith('#')),
  };
}

/** The string literals at the beginning of a Python list that opens where the pattern ends. */
function literalsOf(source: string, opening: RegExp): string[] {
  const start = opening.exec(source);
  if (start === null) return [];
  const item = /[\s,]*(?:#[^\n]*|(["'])((?:(?!\1)[^\\\n])*)\1)/y;
  item.lastIndex = start.index + start[0].length;
  const found: string[] = [];
  for (let match = item.exec(source); match !== null; match = item.exec(source))
    if (match[2] !== undefined) found.push(match[2]);
  return found;
}

async function firstFile(read: ReadInitial, paths: readonly string[]): Promise<{ path: string; text: string } | null> {
  for (const path of paths) {
    const text = await read(path);
    if (text !== null) return { path, text: text.toString('utf8') };
  }
  return null;
}

/** Requirement lines that name packages of a registry; hashes are dropped since wheels for this machine may differ. */
function pinnedLines(text: string, ownPackage: string | null): string[] {
  return text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) =>
      line
        .replace(/(^|\s)#.*$/, '')
        .replace(/\s--hash=\S+/g, '')
        .trim(),
    )
    .filter((line) => line !== '' && !line.startsWith('-') && !isOwn(line, ownPackage));
}

/** Names are equal by PEP 503. */
export function isOwn(requirement: string, ownPackage: string | null): boolean {
  const name = /^[A-Za-z0-9._-]+/.exec(requirement)?.[0] ?? '';
  const normal = (text: string): string => text.toLowerCase().replace(/[-_.]+/g, '-');
  return ownPackage !== null && normal(name) === normal(ownPackage);
}
