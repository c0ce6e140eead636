import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ManifestMergeRequest, mergeManifest } from './merge-manifest.js';

const FIELDS = {
  json: [['scripts', 'test'], ['devDependencies'], ['vitest']],
  toml: [['tool', 'pytest'], ['dependency-groups']],
  ini: [['tool:pytest'], ['options', 'tests_require']],
};

function merge(format: 'json' | 'toml' | 'ini', agent: string | null, reference: string | null, known = [reference]) {
  const request: ManifestMergeRequest = {
    format,
    fields: FIELDS[format],
    agent: agent === null ? null : Buffer.from(agent),
    reference: reference === null ? null : Buffer.from(reference),
    known: known.filter((text) => text !== null).map((text) => Buffer.from(text)),
  };
  const result = mergeManifest(request);
  if ('unreadable' in result) return result;
  return { reset: result.reset, text: result.content === null ? null : result.content.toString() };
}

describe('merging a manifest by field', () => {
  const reference = '{\n\t"name": "a",\n\t"scripts": {"test": "vitest"},\n\t"devDependencies": {"vitest": "4"}\n}\n';

  it('keeps the bytes of an agent that steers nothing', () => {
    const agent =
      '{ "name":"a", "exports": "./x.js", "scripts": {"test":"vitest", "dev":"x"},"devDependencies":{"vitest":"4"} }';
    expect(merge('json', agent, reference)).toEqual({ reset: [], text: agent });
  });

  it('takes steering fields from the reference, keeps order and indentation, and names what was changed', () => {
    const agent =
      '{\n\t"exports": "./x.js",\n\t"scripts": {"test": "true", "dev": "x"},\n\t"vitest": {"globals": true},\n\t"dependencies": {"b": "1"}\n}\n';
    const merged = merge('json', agent, reference);
    expect(merged).toMatchObject({ reset: ['scripts.test', 'devDependencies', 'vitest'] });
    expect((merged as { text: string }).text).toBe(
      '{\n\t"exports": "./x.js",\n\t"scripts": {\n\t\t"test": "vitest",\n\t\t"dev": "x"\n\t},\n\t"dependencies": {\n\t\t"b": "1"\n\t},\n\t"devDependencies": {\n\t\t"vitest": "4"\n\t}\n}\n',
    );
  });

  it('renews a field without blame where the agent still has the earlier reference value', () => {
    const earlier = '{"devDependencies":{"vitest":"3"}}';
    const merged = merge('json', earlier, '{"devDependencies":{"vitest":"4"}}', [earlier]);
    expect(merged).toMatchObject({ reset: [] });
    expect(JSON.parse((merged as { text: string }).text)).toEqual({ devDependencies: { vitest: '4' } });
  });

  it('makes a removed manifest again with its steering fields alone, and makes none where there is nothing to steer', () => {
    expect(JSON.parse((merge('json', null, reference) as { text: string }).text)).toEqual({
      scripts: { test: 'vitest' },
      devDependencies: { vitest: '4' },
    });
    expect(merge('json', null, '{"name":"a"}')).toEqual({ reset: [], text: null });
  });

  it('says why an unreadable manifest is unreadable, unless it was handed out like that', () => {
    expect(merge('json', '{"a":', reference)).toHaveProperty('unreadable');
    expect(merge('json', '[]', reference)).toHaveProperty('unreadable');
    expect(merge('toml', 'a = = 1', '')).toHaveProperty('unreadable');
    expect(merge('ini', 'stray\n[a]\n', '')).toHaveProperty('unreadable');
    expect(merge('json', '{"a":', '{"a":')).toEqual({ reset: [], text: '{"a":' });
  });

  it('merges TOML tables', () => {
    const agent = '[project]\nname = "a"\ndependencies = ["b"]\n[tool.pytest.ini_options]\naddopts = "-p evil"\n';
    const merged = merge('toml', agent, '[tool.pytest.ini_options]\naddopts = "-q"\n');
    expect(merged).toMatchObject({ reset: ['tool.pytest'] });
    expect((merged as { text: string }).text).toContain('addopts = "-q"');
    expect((merged as { text: string }).text).toContain('dependencies = [ "b" ]');
  });

  it('merges ini sections and single keys, leaving other lines as they stand', () => {
    const agent =
      '[metadata]\nname = a ; kept\n\n[tool:pytest]\naddopts = -p evil\n[options]\ntests_require =\n  evil\npackages = find:\n';
    const merged = merge('ini', agent, '[tool:pytest]\naddopts = -q\n\n[options]\ntests_require = pytest\n');
    expect(merged).toEqual({
      reset: ['tool:pytest', 'options.tests_require'],
      text: '[metadata]\nname = a ; kept\n\n[options]\ntests_require = pytest\npackages = find:\n[tool:pytest]\naddopts = -q\n',
    });
    expect(merge('ini', '[a]\nb = 1\n', '[tool:pytest]\nx=1')).toMatchObject({
      text: '[a]\nb = 1\n[tool:pytest]\nx=1\n',
      reset: ['tool:pytest'],
    });
  });

  it('has a fixed point: what was merged merges to itself', () => {
    const value = fc.dictionary(
      fc.constantFrom('scripts', 'devDependencies', 'vitest', 'name', 'exports'),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(value, value, (agent, reference) => {
        const once = merge('json', JSON.stringify(agent), JSON.stringify(reference)) as { text: string };
        const twice = merge('json', once.text, JSON.stringify(reference));
        expect(twice).toEqual({ reset: [], text: once.text });
      }),
    );
  });
});
