import { beforeAll, describe, expect, it } from 'vitest';
import { testId } from '#documents/test-identity.js';
import type { StageMaterial } from './material.js';
import { scanGiveaways } from './scan-giveaways.js';
import { scanIdentifiers } from './scan-identifiers.js';
import { collectWorkspaceNames } from './workspace-names.js';
import { writeContract } from './write-contract.js';
import { writeRequirement } from './write-requirement.js';
import { scanSpec, writeSpec } from './write-spec.js';

type Files = Record<string, string>;

interface Sample {
  before: Files;
  after: Files;
  tests: Files;
  /** File, then titles. */
  f2p: string[][];
  messages?: string[];
  docs?: { path: string; before: string; after: string }[];
}

async function materialOf(sample: Sample): Promise<StageMaterial> {
  const bytes = (files: Files) =>
    new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)] as const));
  const docs = (sample.docs ?? []).map(({ path, before, after }) => ({
    path,
    before: Buffer.from(before),
    after: Buffer.from(after),
  }));
  return {
    stage: 0,
    before: bytes(sample.before),
    after: bytes(sample.after),
    tests: bytes(sample.tests),
    f2p: sample.f2p.map(([file = '', ...path]) => {
      const key = { runner: 'pytest' as const, project: null, file, path, ordinal: 0 };
      return { id: testId(key), key };
    }),
    messages: sample.messages ?? [],
    docs,
    workspace: await collectWorkspaceNames([
      ...bytes(sample.before),
      ...docs.map(({ path, before }) => [path, before] as const),
    ]),
  };
}

const PYTHON: Sample = {
  before: {
    'src/shop/money.py':
      'class Price:\n    """A price."""\n    def __init__(self, amount):\n        self.amount = amount\n\nRATE = 10\n',
    'src/shop/__init__.py': 'from .money import Price\n',
  },
  after: {
    'src/shop/money.py': `class _Base:
    def __init__(self, amount, currency="EUR", strict_mode=False):
        self.amount = amount
        self.currency_code = currency
        if strict_mode and amount < 0:
            raise PriceError(f"{amount} is not a valid price in {currency}.")

class PriceError(ValueError):
    """Raised for prices that cannot be."""

class Price(_Base):
    """A price.

    A price has a currency.

    :param currency: The currency's three letters.
    """

RATE = 25

def convert_price(price, target):
    """Convert a price into another currency."""
    rate_between = _find_rate(price.currency_code, target, RATE, precise=True, cached=False)
    return Price(price.amount * rate_between, currency=target)

def _find_rate(source, target, base, precise, cached):
    return base
`,
    'src/shop/__init__.py':
      'from .money import Price\nfrom .money import PriceError\nfrom .money import convert_price\n',
  },
  tests: {
    'tests/test_money.py': `import pytest
import shop
from shop import Price, convert_price

def test_unchanged():
    assert Price(1).unrelated_name == 1

@pytest.mark.parametrize(("amount", "expect"), [(1, 25), (2, 50)])
def test_convert_price_uses_rate(amount, expect):
    assert shop.money.RATE == 25
    assert convert_price(Price(amount), "USD").amount == expect

class TestStrict:
    def test_strict_mode_rejects_negative_amounts(self):
        with pytest.raises(shop.PriceError, match="is not a valid price"):
            Price(-1, currency="USD", strict_mode=True)
        assert Price(1).currency_code == "EUR"
`,
  },
  f2p: [
    ['tests/test_money.py', 'test_convert_price_uses_rate[1-25]'],
    ['tests/test_money.py', 'test_convert_price_uses_rate[2-50]'],
    ['tests/test_money.py', 'TestStrict', 'test_strict_mode_rejects_negative_amounts'],
  ],
  messages: [
    'Let prices have currencies (#123)\n\nFixes #99. See src/shop/money.py.\n\nCo-authored-by: A B <a@b.example>\n',
  ],
  docs: [
    {
      path: 'CHANGES.rst',
      before: 'Version 1\n---------\n',
      after: 'Version 1\n---------\n\n-   Prices have a currency and can be converted. :issue:`123`\n',
    },
  ],
};

const SCRIPT: Sample = {
  before: {
    'src/middleware/guard.ts':
      'type GuardOptions = { user: string }\nexport const guard = (options: GuardOptions) => () => options.user\n',
  },
  after: {
    'src/middleware/guard.ts': `type MessageOf = (user: string) => string
type GuardOptions = { user: string; denyMessage?: string | MessageOf; onPass?: (user: string) => void }
/**
 * Guards.
 * @param options.denyMessage - What is said to whom it denies.
 */
export const guard = (options: GuardOptions) => () => {
  if (options.user !== 'root') throw new HTTPError(\`access denied for \${options.user}\`)
  return { mode: 'strict-root', header: 'X-Guard-Result' }
}
export class HTTPError extends Error {}
`,
  },
  tests: {
    'src/middleware/guard.test.ts': `import { guard } from './guard'
describe('guard with denyMessage', () => {
  const rows = [{ name: 'Young man' }]
  it('should deny others', async () => {
    expect(() => guard({ user: 'eve', denyMessage: 'no' })()).toThrow('access denied for eve')
    expect(rows[0].name).toBe('Young man')
  })
  it('should let root pass', () => {
    const res = guard({ user: 'root', onPass: () => {} })()
    expect(res.header).toBe('X-Guard-Result')
    expect(res.mode).toBe('strict-root')
  })
})
`,
  },
  f2p: [
    ['src/middleware/guard.test.ts', 'guard with denyMessage', 'should deny others'],
    ['src/middleware/guard.test.ts', 'guard with denyMessage', 'should let root pass'],
  ],
  messages: ['feat(guard): add denyMessage option (#7)\n\n* feat: add eager option\n\n* lint'],
};

const RUST: Sample = {
  before: { 'src/walk.rs': 'pub struct Walker { pub depth: usize }\n' },
  after: {
    'src/walk.rs':
      'pub struct Walker { pub depth: usize, pub max_results: usize }\nimpl Walker { pub fn with_limit(limit: usize) -> Self { if limit == 0 { panic!("limit must not be zero") } Walker { depth: 0, max_results: limit } } }\n',
  },
  tests: {
    'tests/walk.rs':
      '#[test]\nfn limits() { let w = Walker::with_limit(3); assert_eq!(w.max_results, 3); run("--max-results"); }\n#[test]\n#[should_panic(expected = "limit must not be zero")]\nfn zero() { Walker::with_limit(0); }\n',
  },
  f2p: [
    ['tests/walk.rs', 'limits'],
    ['tests/walk.rs', 'zero'],
  ],
};

const GO: Sample = {
  before: { 'mux.go': 'package mux\n// Mux routes.\ntype Mux struct{}\n' },
  after: {
    'mux.go':
      'package mux\n// Mux routes.\ntype Mux struct{}\n// Find finds.\nfunc (m *Mux) Find(path string) (string, error) { return "", errors.New("mux: no such route") }\nconst MaxRoutes = 12\n',
  },
  tests: {
    'mux_test.go':
      'package mux\nfunc TestFind(t *testing.T) { m := &Mux{}; _, err := m.Find("/a"); if err.Error() != "mux: no such route" || MaxRoutes != 12 { t.Fatal() } }\n',
  },
  f2p: [['mux_test.go', 'TestFind']],
};

describe.each([
  ['Python', PYTHON],
  ['TypeScript', SCRIPT],
  ['Rust', RUST],
  ['Go', GO],
])('a spec written by rule for %s', (_name, sample) => {
  let material: StageMaterial;
  let requirement: Awaited<ReturnType<typeof writeRequirement>>;
  let contract: Awaited<ReturnType<typeof writeContract>>;

  beforeAll(async () => {
    material = await materialOf(sample);
    requirement = await writeRequirement(material);
    contract = await writeContract(material, [], requirement.text);
  });

  it('leaves nothing that the tests use unsaid and gives nothing away', async () => {
    const spec = { requirement: requirement.text, contract: contract.text };
    expect(await scanIdentifiers(material, [spec])).toEqual([]);
    expect(await scanGiveaways(material, spec)).toEqual([]);
  });

  it('is refused by the scan, which names what is missing, when any line is deleted that a test needs', async () => {
    const needed = contract.entries.filter((entry) => entry.needed.length > 0);
    expect(needed.length).toBeGreaterThan(1);
    const lines = contract.text.split('\n');
    const told = lines.filter((line) => line.startsWith('- '));
    expect(told).toHaveLength(contract.entries.length);
    for (const [at, entry] of contract.entries.entries()) {
      if (entry.needed.length === 0) continue;
      const cut = lines.filter((line) => line !== told[at]).join('\n');
      const missing = await scanIdentifiers(material, [{ requirement: requirement.text, contract: cut }]);
      expect(missing.map(({ name }) => name)).toContain(entry.name);
    }
  });

  it('links every F2P test to exactly one numbered criterion that the requirement prints', () => {
    const linked = requirement.criteria.criteria.flatMap(({ tests }) => tests);
    expect([...linked].sort()).toEqual(material.f2p.map(({ id }) => id).sort());
    for (const { number, text } of requirement.criteria.criteria)
      expect(requirement.text).toContain(`${number}. ${text}\n`);
  });

  it('is written and scanned in one go as well', async () => {
    const spec = await writeSpec(material, []);
    expect(spec).toMatchObject({ requirement: requirement.text, contract: contract.text, missing: [], giveaways: [] });
    expect(await scanSpec(material, [spec])).toEqual({ missing: [], giveaways: [] });
  });

  it('is the same when written again', async () => {
    expect((await writeRequirement(material)).text).toBe(requirement.text);
    expect((await writeContract(material, [], requirement.text)).text).toBe(contract.text);
  });
});

describe('the contract', () => {
  it('tells heads, defaults, values, error types and messages, and where importers find them', async () => {
    const { text } = await writeContract(await materialOf(PYTHON), [], '');
    expect(text).toContain(
      '- method `Price.__init__` in `shop` (changed): `def __init__(self, amount, currency="EUR", strict_mode=False)`',
    );
    expect(text).toContain('- function `convert_price` in `shop`: `def convert_price(price, target)`');
    expect(text).toContain('- constant `RATE`');
    expect(text).toContain('RATE = 25');
    expect(text).toContain('- message `{amount} is not a valid price in {currency}.` of `PriceError`');
    expect(text).not.toMatch(/_Base|_find_rate|unrelated_name/);
  });

  it('tells types that a head names and options that tests give, not the data of tests', async () => {
    const { text } = await writeContract(await materialOf(SCRIPT), [], '');
    expect(text).toContain('- type `MessageOf` in `src/middleware/guard`: `type MessageOf = (user: string) => string`');
    expect(text).toContain(
      '- field `GuardOptions.denyMessage` in `src/middleware/guard`: `denyMessage?: string | MessageOf`',
    );
    expect(text).toContain('as in `access denied for eve`');
    expect(text).not.toMatch(/Young man|rows/);
  });

  it('tells flags that a library makes of names', async () => {
    const { text } = await writeContract(await materialOf(RUST), [], '');
    expect(text).toContain('- flag `--max-results`');
    expect(text).toContain('- message `limit must not be zero`');
  });

  it('says so when there is nothing to tell', async () => {
    const same = { ...PYTHON, after: PYTHON.before, tests: {}, f2p: [] };
    const { entries, text } = await writeContract(await materialOf(same), [], '');
    expect(entries).toEqual([]);
    expect(text).toContain('No name');
  });
});

describe('the requirement', () => {
  it('tells goal and behaviour from messages, changelog and documentation, without numbers, paths and people', async () => {
    const { text } = await writeRequirement(await materialOf(PYTHON));
    expect(text).toContain('Prices have a currency and can be converted.');
    expect(text).toContain("`Price`: `currency`: The currency's three letters.");
    expect(text).not.toMatch(/#\d|money\.py|Co-authored|@/);
  });

  it('turns names of tests into sentences and shows cases of parametrised tests', async () => {
    const { text, criteria } = await writeRequirement(await materialOf(PYTHON));
    expect(criteria.criteria.map((criterion) => criterion.text)).toEqual([
      '`convert_price` uses rate.',
      'Strict: `strict_mode` rejects negative amounts.',
    ]);
    expect(text).toContain('- For example: `amount` `1`, `expect` `25`.');
    expect(text).toContain('raises `PriceError` with a message that matches `"is not a valid price"`');
  });

  it('leaves out steps that the outcome does not have', async () => {
    const { text } = await writeRequirement(await materialOf(SCRIPT));
    expect(text).toContain('Guard with denyMessage: should let root pass.');
    expect(text).toContain("header` is `'X-Guard-Result'`");
    expect(text).not.toContain('eager');
  });
});

describe('tests inside a source file', () => {
  it('use what the file defines as any other test does', async () => {
    const source =
      'pub fn old() {}\npub fn count_files(path: &str) -> usize { 3 }\n#[cfg(test)]\nmod tests { use super::*; fn helper() {} #[test] fn counts() { helper(); assert_eq!(count_files("a"), 3); } }\n';
    const sample: Sample = {
      before: { 'src/a.rs': 'pub fn old() {}\n' },
      after: { 'src/a.rs': source },
      tests: { 'src/a.rs': source },
      f2p: [['src/a.rs', 'tests::counts']],
    };
    const material = await materialOf(sample);
    const contract = await writeContract(material, [], '');
    expect(contract.text).toContain(
      '- function `count_files` in `crate::a`: `pub fn count_files(path: &str) -> usize`',
    );
    expect((await scanSpec(material, [{ requirement: '', contract: '' }])).missing.map(({ name }) => name)).toEqual([
      'count_files',
    ]);
  });
});

describe('the scan for giveaways', () => {
  it('finds copied code, paths, hidden names and history, each with its line', async () => {
    const material = await materialOf(PYTHON);
    const requirement = [
      'Call `_find_rate(price.currency_code, target, RATE, precise=True, cached=False)`.',
      'Edit src/shop/money.py.',
      'As asked in #123.',
      'Prices convert.',
    ].join('\n');
    const found = await scanGiveaways(material, { requirement, contract: '' });
    expect(found.map(({ kind, line }) => [kind, line])).toEqual([
      ['reference-code', 1],
      ['private-name', 1],
      ['path', 2],
      ['history', 3],
    ]);
  });
});

describe('the scan for identifiers', () => {
  it('reports names that only an earlier reference change brought', async () => {
    const material = await materialOf(PYTHON);
    const tests = new Map([
      ...material.tests,
      [
        'tests/test_other.py',
        Buffer.from('from shop import Price\ndef test_tax():\n    assert Price(1).tax_included\n'),
      ],
    ]);
    const key = {
      runner: 'pytest' as const,
      project: null,
      file: 'tests/test_other.py',
      path: ['test_tax'],
      ordinal: 0,
    };
    const wider = { ...material, tests, f2p: [...material.f2p, { id: testId(key), key }] };
    const requirement = await writeRequirement(material);
    const contract = await writeContract(material, [], requirement.text);
    const missing = await scanIdentifiers(wider, [{ requirement: requirement.text, contract: contract.text }]);
    expect(missing).toMatchObject([{ name: 'tax_included', kind: 'attribute', files: ['tests/test_other.py'] }]);
  });

  it('lets earlier specs offer names', async () => {
    const material = await materialOf(SCRIPT);
    const contract = await writeContract(material, [], '');
    const tests = new Map([
      [
        'src/middleware/guard.test.ts',
        Buffer.concat([
          material.tests.get('src/middleware/guard.test.ts') ?? Buffer.alloc(0),
          Buffer.from('\nearlierHelper()\n'),
        ]),
      ],
    ]);
    const wider = { ...material, tests };
    const spec = { requirement: '', contract: contract.text };
    expect((await scanIdentifiers(wider, [spec])).map(({ name }) => name)).toEqual(['earlierHelper']);
    expect(await scanIdentifiers(wider, [{ requirement: 'Use `earlierHelper`.', contract: '' }, spec])).toEqual([]);
  });
});
