import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { planStage } from './stage-plan.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stage plan\t#'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('planStage', () => {
  it('writes one line per mount with blanks, tabs and hashes of a path escaped', async () => {
    const plan = await planStage([{ from: folder, to: '/x', mode: 'ro' }], '/stage', folder);
    const [source, place, ...rest] = plan.table.trimEnd().split(' ');
    expect(source).toContain('stage\\040plan\\011\\043');
    expect([place, ...rest]).toEqual(['/stage/0', 'none', 'rbind,X-mount.mkdir,ro', '0', '0']);
    expect(plan.view).toEqual([{ from: '/stage/0', to: '/x', mode: 'ro' }]);
  });

  it('names single files, for they need a place to be mounted on', async () => {
    await writeFile(join(folder, 'file'), '');
    const plan = await planStage([{ from: join(folder, 'file'), to: '/x', mode: 'rw' }], '/stage', folder);
    expect(plan.files).toEqual(['/stage/0']);
    expect(plan.table).toContain(' none rbind 0 0');
  });

  it('puts an overlay over a read-only bind of its source', async () => {
    await mkdir(join(folder, 'base'));
    const plan = await planStage([{ from: join(folder, 'base'), to: '/x', mode: 'overlay' }], '/stage', folder);
    expect(plan.overlays).toEqual(['/stage/0']);
    const [bind = '', overlay = ''] = plan.table.split('\n');
    expect(bind).toContain(' /stage/lower-0 none rbind,X-mount.mkdir,ro ');
    expect(overlay).toContain('lowerdir=/stage/lower-0,');
  });
});
