import { InvalidArgumentError } from 'commander';

/** A whole number from 0, for commander. */
export function numberOption(text: string): number {
  if (!/^[0-9]+$/.test(text)) throw new InvalidArgumentError('a whole number is needed');
  return Number(text);
}
