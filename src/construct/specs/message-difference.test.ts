import { describe, expect, it } from 'vitest';
import { expects } from './message-difference.js';

describe('whether a test’s literal expects a text of the source', () => {
  it.each([
    ['fd', 'fd', true],
    ['a', 'banana', false],
    ['Unauthorized', 'Unauthorized', true],
    ['Error: 6 is not in the range 0<=x<=5.', '{rv} is not in the range {self._range()}.', true],
    ['is not in the range', '%s is not in the range %s.', true],
    ['access denied for eve', 'access denied for $' + '{options.user}', true],
    ['user', '{user} {name}', false],
    ['not supported \\(yet\\)', 'It is not supported (yet), sorry', true],
    ['GET', 'GET', false],
    ['complete', `${'x'.repeat(50)} complete ${'y'.repeat(50)}`, false],
  ])('%s against %s: %s', (expected, text, answer) => {
    expect(expects(expected, text)).toBe(answer);
  });
});
