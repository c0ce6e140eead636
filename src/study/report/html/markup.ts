import { visibleText } from '../visible-text.js';

/** Text that is markup already. Everything else is escaped when it enters a template. */
export class Markup {
  constructor(readonly text: string) {}
}

type Piece = Markup | string | number | null | readonly Piece[];

/**
 * Builds HTML or SVG. What is put in is escaped unless it is Markup; null is nothing. Attributes take values in
 * double quotes only.
 */
export function markup(pieces: TemplateStringsArray, ...values: readonly Piece[]): Markup {
  let text = pieces[0] ?? '';
  for (const [place, value] of values.entries()) text += textOf(value) + (pieces[place + 1] ?? '');
  return new Markup(text);
}

/** Nothing, where a template may put something. */
export const NO_MARKUP = new Markup('');

function textOf(value: Piece): string {
  if (value === null) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : String(Math.round(value * 100) / 100);
  return value.map(textOf).join('');
}

function escapeHtml(text: string): string {
  return visibleText(text).replace(/[&<>"'`]/g, (special) => `&#${special.charCodeAt(0)};`);
}
