import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { main } from '#cli/index.js';

const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'examples/sample/README.md',
  ...namesBelow('docs').filter((path) => path.endsWith('.md')),
];
const commands = readdirSync('src/cli/commands').map((name) => name.replace(/\.ts$/, ''));

function namesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? namesBelow(path) : [path];
  });
}

function* sources(folder: string): Generator<string> {
  for (const path of namesBelow(folder)) if (path.endsWith('.ts') && !path.endsWith('.test.ts')) yield path;
}

describe('the documents tell the truth about the tree', () => {
  it.each(pages)('%s links to places that exist', (page) => {
    for (const [, target = ''] of readFileSync(page, 'utf8').matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)) {
      if (!/^[a-z]+:/.test(target)) expect(existsSync(join(dirname(page), target)), `${page}: ${target}`).toBe(true);
    }
  });

  it.each(commands)('%s has a page with an example and a help text with one', async (command) => {
    expect(readFileSync(`docs/${command}.md`, 'utf8')).toContain('```');
    let help = '';
    const sink = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        help += chunk.toString();
        done();
      },
    });
    expect(await main([command, '--help'], sink, sink)).toBe(0);
    expect(help).toMatch(/Examples?[:,]/);
  });

  it('lists every fault', () => {
    const page = readFileSync('docs/faults.md', 'utf8');
    for (const path of sources('src')) {
      for (const [, code] of readFileSync(path, 'utf8').matchAll(/\bcode: '([a-z0-9-]+)',\s*kind: '/g))
        expect(page, path).toContain(`\`${code}\``);
    }
  });

  it('keeps source files small enough to hold in mind', () => {
    const lengths = [...sources('src')]
      .map((path) => readFileSync(path, 'utf8').split('\n').length)
      .sort((a, b) => a - b);
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThan(90);
    expect(lengths[Math.floor(lengths.length * 0.9)]).toBeLessThan(250);
  });
});
