import type { Funnel } from '#documents/funnel.js';
import { autoLayout } from '#documents/layout.js';
import { plainText } from './plain-text.js';

/** Of mining, and of trying, so many reasons are shown. */
const SHOWN_REASONS = { mining: 5, trying: 12 };
const TRYING: ReadonlySet<string> = new Set(['states', 'build', 'check']);
const ENDED: Record<Funnel['ended'], string> = {
  complete: 'every chain was tried',
  enough: 'enough tasks are admitted',
  budget: 'the time was up; the same command goes on',
  interrupted: 'stopped; the same command goes on',
};

/** From groups to admitted tasks, why the rest fell out, and what became of every chain. */
export function renderFunnel({ counts, reasons, chains, ended }: Funnel, folder: string): string {
  const steps: [string, number][] = [
    ['groups of commits', counts.groups],
    ['possible stages', counts.nodes],
    ['candidates', counts.candidates],
    ['chains', counts.chains],
    ['tried', counts.tried],
    ['with reference states', counts.rebuilt],
    ['built', counts.built],
    ['admitted', counts.admitted],
  ];
  const shown = [
    ...reasons.filter(({ step }) => !TRYING.has(step)).slice(0, SHOWN_REASONS.mining),
    ...reasons.filter(({ step }) => TRYING.has(step)).slice(0, SHOWN_REASONS.trying),
  ];
  const rows = chains.filter(({ outcome }) => outcome !== 'open').map(chainRow);
  return [
    ...steps.map(([name, count]) => `${String(count).padStart(7)}  ${name}\n`),
    reasons.length === 0 ? '' : '\nwhat fell out, and why:\n',
    ...shown.map(({ step, reason, count, example }) => {
      const said = reason === example ? line(reason) : `${line(reason)}, such as: ${line(example)}`;
      return `${String(count).padStart(7)}  ${step.padEnd(8)}${shorten(said)}\n`;
    }),
    reasons.length > shown.length
      ? `         and ${reasons.length - shown.length} more reason(s) in funnel.json\n`
      : '',
    rows.length === 0 ? '' : '\nchain           tried  outcome      task or feature\n',
    ...rows,
    `\n${ENDED[ended]}\n${counts.admitted} task(s) in ${plainText(autoLayout(folder).tasks)}; ${plainText(autoLayout(folder).funnel)}\n`,
  ].join('');
}

function chainRow({ id, feature, stages, outcome, window, task, attempts }: Funnel['chains'][number]): string {
  const part =
    window === null
      ? ''
      : window.to - window.from + 1 === stages
        ? ' whole'
        : ` ${window.from}-${window.to} of ${stages}`;
  const rest = outcome === 'admitted' && task !== null ? task : feature;
  return `${id.padEnd(14)}  ${String(attempts.length).padStart(5)}  ${outcome.padEnd(11)}  ${shorten(line(`${rest}${outcome === 'not-rebuilt' || part === '' ? '' : `,${part}`}`))}\n`;
}

const COLUMNS = 130;

function shorten(text: string): string {
  const letters = [...text];
  return letters.length <= COLUMNS ? text : `${letters.slice(0, COLUMNS - 1).join('')}…`;
}

function line(text: string): string {
  return plainText(text).replaceAll('\n', ' ');
}
