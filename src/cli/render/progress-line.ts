import type { Progress, ProgressEvent } from '#kernel/events.js';
import type { Streams } from '../context.js';
import { plainText } from './plain-text.js';

/** Steps shorter than this leave no line behind on a terminal. */
const WORTH_A_LINE_SECONDS = 2;

/** On a terminal one line that is written over; elsewhere one line at the end of each step. */
export function progressLine({ stderr }: Streams): { progress: Progress; clear(): void } {
  const live = stderr.isTTY === true;
  const started = new Map<string, number>();
  const units = new Map<string, string>();
  let shown = false;
  const clear = (): void => {
    if (shown) stderr.write('\r\u001b[K');
    shown = false;
  };
  const show = (text: string): void => {
    if (!live) return;
    // A terminal that does not know its width says 0.
    const width = Math.max(20, (stderr.columns || 80) - 1);
    stderr.write(`\r\u001b[K${plainText(text).replaceAll('\n', ' ').slice(0, width)}`);
    shown = true;
  };
  const say = (text: string): void => {
    clear();
    stderr.write(`${plainText(text)}\n`);
  };
  const secondsOf = (step: string): number => (performance.now() - (started.get(step) ?? performance.now())) / 1000;
  const progress: Progress = (event) => {
    switch (event.kind) {
      case 'notice':
        say(`${event.level === 'warning' ? 'warning: ' : ''}${event.message}`);
        break;
      case 'step-started':
        started.set(event.step, performance.now());
        if (event.unit !== null) units.set(event.step, event.unit);
        show(event.total === null ? event.step : `${event.step}: 0/${event.total} ${event.unit ?? ''}`);
        break;
      case 'step-advanced':
        show(advanceText(event, secondsOf(event.step), units.get(event.step) ?? null));
        break;
      case 'step-ended': {
        const seconds = secondsOf(event.step);
        clear();
        if (!live || seconds >= WORTH_A_LINE_SECONDS)
          say(`${event.step}: ${seconds.toFixed(1)} s${event.note === null ? '' : `, ${event.note}`}`);
      }
    }
  };
  return { progress, clear };
}

/** From so many a second on a rate says more than a count. */
const RATE_FROM = 2;

function advanceText(
  { step, done, total, note }: Extract<ProgressEvent, { kind: 'step-advanced' }>,
  seconds: number,
  unit: string | null,
): string {
  const left = total === null || done === 0 ? null : `${Math.ceil((seconds / done) * (total - done))} s left`;
  const rate = seconds <= 0 || done / seconds < RATE_FROM ? null : `${Math.round(done / seconds)}/s`;
  const count = `${step}: ${done}${total === null ? '' : `/${total}`}${unit === null ? '' : ` ${unit}`}`;
  return [count, rate, left, note].filter((part) => part !== null).join(' · ');
}
