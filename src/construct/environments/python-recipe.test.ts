import { describe, expect, it } from 'vitest';
import { pythonRecipe } from './python-recipe.js';

async function recipeOf(files: Record<string, string>) {
  return pythonRecipe(async (path) => (files[path] === undefined ? null : Buffer.from(files[path])));
}

async function declared(setup: string): Promise<string[]> {
  const { inputs } = await recipeOf({ 'setup.py': setup });
  return (inputs.get('requirements.txt')?.toString() ?? '').trim().split('\n');
}

describe('the recipe of a Python project', () => {
  it('takes what setup.py requires as it stands in its quotes: markers, extras, comments and all', async () => {
    const setup = `from setuptools import setup
setup(
    name="click",
    install_requires=[
        "colorama; platform_system == 'Windows'",  # for "colours"
        'importlib-metadata; python_version < "3.8"',
        "requests[socks]>=2", 'plain',
    ],
    extras_require={"docs": ["sphinx"]},
)
`;
    expect(await declared(setup)).toEqual([
      "colorama; platform_system == 'Windows'",
      'importlib-metadata; python_version < "3.8"',
      'requests[socks]>=2',
      'plain',
      'pytest',
    ]);
  });

  it('takes no more of a list than its literals, and nothing where it is computed', async () => {
    expect(await declared('setup(name="x", install_requires=["a", EXTRA, "b"])')).toEqual(['a', 'pytest']);
    expect(await declared('setup(name="x", install_requires=read("requirements.txt"))')).toEqual(['pytest']);
  });

  it('holds for installed only where the test runner starts: old versions may not run on this interpreter', async () => {
    const { attempts } = await recipeOf({
      'setup.py': 'setup(name="x")',
      'requirements/tests.txt': 'pytest==6.1.1\n',
    });
    expect(attempts.length).toBe(2);
    for (const { commands } of attempts) expect(commands.at(-1)?.join(' ')).toBe('venv/bin/python -m pytest --version');
  });
});
