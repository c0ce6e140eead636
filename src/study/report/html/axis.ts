import { type Markup, markup } from './markup.js';

/** A horizontal axis from 0 to 100 percent. */
export interface ShareAxis {
  readonly left: number;
  readonly right: number;
}

/** Where a share lies on the axis. */
export function shareX({ left, right }: ShareAxis, share: number): number {
  return left + share * (right - left);
}

/** Grid lines every 25 percent with labels below. */
export function shareGrid(axis: ShareAxis, top: number, bottom: number): Markup {
  return markup`${[0, 0.25, 0.5, 0.75, 1].map((share) => {
    const x = shareX(axis, share);
    return markup`<line class="axis" x1="${x}" x2="${x}" y1="${top}" y2="${bottom}"/><text class="t-soft t-small" x="${x}" y="${bottom + 15}" text-anchor="middle">${share * 100}${share === 1 ? '%' : ''}</text>`;
  })}`;
}
