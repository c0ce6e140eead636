import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CheckFinding } from '#documents/check-finding.js';
import { type Waivers, waiversDocument } from '#documents/waivers.js';
import { createRepository } from '#git/index.js';
import { openTaskPackage, sealTaskFolder, withTemporaryFolder } from '#store/index.js';
import { makeTask } from '../../test/support/make-task.js';
import { materialsOfTask, scanTaskSpecs } from './scan-task-specs.js';
import { type SpecText, writeContract } from './specs/index.js';

/** The sample task with contracts by rule, of which `cut` takes lines away, scanned. */
function scanSample(
  cut: (stage: number, lines: string[]) => string[],
  waivers: object[] = [],
): Promise<CheckFinding[]> {
  return withTemporaryFolder('scan-test', async (parent) => {
    const folder = await makeTask(join(parent, 'task'));
    const repository = await createRepository(join(parent, 'states.git'));
    try {
      const made = await openTaskPackage(folder);
      await repository.git({ args: ['bundle', 'unbundle', made.statesBundle] });
      const earlier: SpecText[] = [];
      for (const material of await materialsOfTask(made, repository)) {
        const requirement = made.requirement(material.stage);
        const { text } = await writeContract(material, earlier, requirement);
        const lines = cut(material.stage, text.split('\n'));
        await writeFile(join(folder, `stages/${material.stage}/contract.md`), lines.join('\n'));
        earlier.push({ requirement, contract: text });
      }
      await writeFile(join(folder, 'private/waivers.json'), waiversDocument.print({ waivers } as Waivers));
      await sealTaskFolder(folder);
      return await scanTaskSpecs(await openTaskPackage(folder), repository);
    } finally {
      await repository.close();
    }
  });
}

const WAIVER = { code: 'spec-lacks-name', stage: 0, about: 'slug', reason: 'told in the manual', by: 'a reviewer' };

describe('scanning the specs of a task', () => {
  it('finds nothing wrong with complete ones', async () => {
    expect(await scanSample((_stage, lines) => lines)).toEqual([]);
  });

  it('refuses, and names what is missing, when a line of a contract that a test needs is gone', async () => {
    for (const [stage, name] of [
      [0, 'slug'],
      [1, 'slug'],
      [2, 'maxLength'],
    ] as const) {
      const findings = await scanSample((at, lines) =>
        at === stage ? lines.filter((line) => !line.includes(name)) : lines,
      );
      const found = findings.filter(({ file }) => file === `stages/${stage}/contract.md`);
      expect(found.map(({ field }) => field)).toContain(name);
      expect(found.every(({ severity }) => severity === 'refusal')).toBe(true);
    }
  });

  it('refuses what gives the reference away, and takes a waiver for a note', async () => {
    const findings = await scanSample(
      (at, lines) =>
        at === 0
          ? [
              ...lines.filter((line) => !line.includes('slug')),
              "Use text.toLowerCase().split(' ').filter((word) => word.length > 0).",
            ]
          : lines,
      [WAIVER],
    );
    const ofStage = findings.filter(({ file }) => file === 'stages/0/contract.md');
    expect(ofStage.find(({ code }) => code === 'spec-gives-away')).toMatchObject({ severity: 'refusal' });
    expect(ofStage.find(({ field }) => field === 'slug')).toMatchObject({
      severity: 'note',
      message: expect.stringContaining('waived by a reviewer: told in the manual'),
    });
  });
});
