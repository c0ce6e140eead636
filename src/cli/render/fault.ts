import { Fault } from '#kernel/faults.js';
import { plainText } from './plain-text.js';

/** How a fault looks on the terminal: what is wrong, then what to do. A stack only with `--debug`. */
export function renderFault(thrown: unknown, debug: boolean): string {
  if (!(thrown instanceof Fault)) {
    const text = thrown instanceof Error ? (debug ? (thrown.stack ?? thrown.message) : thrown.message) : String(thrown);
    return `featurearc: a fault of the program itself: ${plainText(text)}\n  Please report it with the command you gave${debug ? '' : ' and the output of --debug'}.\n`;
  }
  const lines = [`featurearc: ${plainText(thrown.message)}`];
  if (thrown.hint !== null)
    lines.push(
      ...plainText(thrown.hint)
        .split('\n')
        .map((line) => `  ${line}`),
    );
  if (debug)
    lines.push(
      `  [${thrown.code}] ${thrown.stack ?? ''}`,
      ...(thrown.cause instanceof Error ? [`  cause: ${thrown.cause.stack ?? ''}`] : []),
    );
  return `${lines.join('\n')}\n`;
}

/** The same for machines. */
export function faultJson(thrown: unknown): unknown {
  if (thrown instanceof Fault)
    return {
      error: {
        code: thrown.code,
        kind: thrown.kind,
        message: thrown.message,
        hint: thrown.hint,
        context: thrown.context,
      },
    };
  return {
    error: {
      code: 'internal',
      kind: 'internal',
      message: thrown instanceof Error ? thrown.message : String(thrown),
      hint: null,
      context: {},
    },
  };
}
