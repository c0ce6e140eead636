import { InvalidArgumentError } from 'commander';

/** A whole number from 0, for commander. */
export function numberOption(text: string): number {
  if (!/^[0-9]+$/.test(text)) throw new InvalidArgumentError('a whole number is needed');
  return Number(text);
}

/** A whole number from 1: what is done no times proves nothing. */
export function countOption(text: string): number {
  const count = numberOption(text);
  if (count === 0) throw new InvalidArgumentError('at least 1 is needed');
  return count;
}

/** A duration such as `30m`, for commander. */
export function durationOption(text: string): string {
  if (!/^[0-9]+(?:ms|s|m|h)$/.test(text))
    throw new InvalidArgumentError('a number with ms, s, m or h is needed, such as 30m');
  return text;
}
