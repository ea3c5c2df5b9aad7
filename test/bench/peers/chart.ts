import type { CaseName } from './cases.ts';
import { isCorrect, isNotApplicable, loadFinder, time } from './load-table.ts';
import type { Load } from './measure.ts';
import { PEERS } from './peer.ts';

const CHARTED_CASES: readonly CaseName[] = [
  'cold',
  'nothing changed',
  'one edit',
  'one deletion',
  'referenced entry edited',
];
const [WIDTH, LABEL_WIDTH, BAR_HEIGHT, ROW_HEIGHT, GAP, MAX_BAR] = [760, 240, 14, 20, 34, 400];

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #1f2328; }
  .title { font-weight: 600; }
  .ours { fill: #0969da; } .other { fill: #8c959f; } .wrong { fill: #cf222e; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .ours { fill: #4493f8; } .other { fill: #7d8590; } .wrong { fill: #f85149; }
  }`;

/** A bar chart of the time of each loader, red if the result is wrong. */
export function peersChart({ loads }: { readonly loads: readonly Load[] }): string {
  const findLoad = loadFinder(loads, 10_000, 50);
  const lines: string[] = [];
  let y = 20;
  for (const name of CHARTED_CASES) {
    const charted = PEERS.flatMap((peer) => findLoad(peer, name) ?? []);
    const longest = Math.max(...charted.filter(({ ended }) => ended !== 'timeout').map(({ ms }) => ms));
    lines.push(`<text class="title" x="0" y="${y}">${name}</text>`);
    for (const load of charted) {
      y += ROW_HEIGHT;
      const width = Math.max(2, Math.round(MAX_BAR * Math.min(1, load.ms / longest)));
      const isTimeout = load.ended === 'timeout';
      const isWrong = !isCorrect(load) && !isTimeout;
      const kind = isWrong ? 'wrong' : load.peer === 'astro-luid' ? 'ours' : 'other';
      const note = isWrong
        ? ', wrong'
        : isNotApplicable(load)
          ? ', embeds nothing'
          : isTimeout
            ? ' (aborted)'
            : '';
      lines.push(
        `<text x="${LABEL_WIDTH - 8}" y="${y}" text-anchor="end">${load.peer}</text>`,
        `<rect class="${kind}" x="${LABEL_WIDTH}" y="${y - BAR_HEIGHT + 3}" width="${width}" height="${BAR_HEIGHT}" rx="2"/>`,
        `<text x="${LABEL_WIDTH + width + 6}" y="${y}">${time(load)}${note}</text>`,
      );
    }
    y += GAP;
  }
  const height = y - GAP + 12;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="Load time of 10,000 entries at 50 ms latency, by loader">
<style>${STYLE}
</style>
${lines.join('\n')}
</svg>
`;
}
