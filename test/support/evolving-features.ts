import type { CommitScript } from './script-history.js';

/** A step of the scripted project: its message and what it adds to which file. */
interface Step {
  message: string;
  adds: [path: string, text: string][];
}

const RANGE_TEST = 'from pkg.ranges import NumberRange\n';
const PAGER_TEST = 'from pkg.paging import show_pager\n';

/** Two features that grow side by side, and work that belongs to neither. Every step also writes a changelog line. */
const STEPS: readonly Step[] = [
  {
    message: 'Start the project',
    adds: [
      ['src/pkg/core.py', 'class Command:\n    def invoke(self, args):\n        return list(args)\n'],
      [
        'tests/test_core.py',
        'from pkg.core import Command\n\ndef test_invoke():\n    assert Command().invoke([1]) == [1]\n',
      ],
    ],
  },
  {
    message: 'Add NumberRange type',
    adds: [
      [
        'src/pkg/ranges.py',
        'class NumberRange:\n    def __init__(self, low, high):\n        self.low = low\n        self.high = high\n\n    def convert_number(self, value):\n        return self.low <= value <= self.high\n',
      ],
      [
        'tests/test_ranges.py',
        `${RANGE_TEST}\ndef test_number_range():\n    assert NumberRange(1, 3).convert_number(2)\n`,
      ],
    ],
  },
  {
    message: 'Add show_pager for long output',
    adds: [
      [
        'src/pkg/paging.py',
        'def show_pager(text):\n    for line in text.splitlines():\n        emit_line(line)\n\n\ndef emit_line(line):\n    return line\n',
      ],
      ['tests/test_paging.py', `${PAGER_TEST}\ndef test_show_pager():\n    show_pager("a")\n`],
    ],
  },
  {
    message: 'Add clamp_number to NumberRange',
    adds: [
      [
        'src/pkg/ranges.py',
        '\n    def clamp_number(self, value):\n        return max(self.low, min(self.high, value))\n',
      ],
      ['tests/test_ranges.py', '\ndef test_clamp_number():\n    assert NumberRange(1, 3).clamp_number(9) == 3\n'],
    ],
  },
  {
    message: 'Support generators in show_pager',
    adds: [
      ['src/pkg/paging.py', '\n\ndef show_pager_lines(lines):\n    for line in lines:\n        emit_line(line)\n'],
      [
        'tests/test_paging.py',
        '\ndef test_show_pager_generator():\n    from pkg.paging import show_pager_lines\n    show_pager_lines(iter(["a"]))\n',
      ],
    ],
  },
  {
    message: 'Add subcommand aliases',
    adds: [
      ['src/pkg/core.py', '\n    def alias(self, name):\n        return name.lower()\n'],
      ['tests/test_core.py', '\ndef test_alias():\n    assert Command().alias("A") == "a"\n'],
    ],
  },
  {
    message: 'Support open bounds in NumberRange',
    adds: [
      [
        'src/pkg/ranges.py',
        '\n    def open_bounds(self, value):\n        return self.low < self.clamp_number(value) < self.high\n',
      ],
      ['tests/test_ranges.py', '\ndef test_open_bounds():\n    assert not NumberRange(1, 3).open_bounds(1)\n'],
    ],
  },
  {
    message: 'Support colors in show_pager',
    adds: [
      ['src/pkg/paging.py', '\n\ndef show_pager_colors(text, color):\n    show_pager(color + text)\n'],
      [
        'tests/test_paging.py',
        '\ndef test_show_pager_colors():\n    from pkg.paging import show_pager_colors\n    show_pager_colors("a", "red")\n',
      ],
    ],
  },
];

/** The steps as commits. `more` is appended, each with the whole content that the files have by then. */
export function evolvingFeatures(more: readonly Step[] = []): CommitScript[] {
  const held = new Map<string, string>();
  return [...STEPS, ...more].map(({ message, adds }, at) => {
    const changelog: [string, string] = ['CHANGES.md', `- ${message}\n`];
    return {
      message,
      at: 1_600_000_000 + at * 40 * 86_400,
      committedAt: 1_600_000_000 + at * 40 * 86_400,
      files: [...adds, changelog].map(([path, text]): [string, string] => {
        const content = `${held.get(path) ?? ''}${text}`;
        held.set(path, content);
        return [path, content];
      }),
    };
  });
}
