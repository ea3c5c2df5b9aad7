import type { CaseName } from './cases.ts';
import { find, isNoQuestion, isRight, time } from './load-table.ts';
import type { Load } from './measure.ts';
import { PEERS } from './peer.ts';

const SHOWN: readonly CaseName[] = [
  'cold',
  'nothing changed',
  'one edit',
  'one deletion',
  'referenced entry edited',
];
const [WIDTH, LABEL, BAR, ROW, GAP, MOST] = [760, 240, 14, 20, 34, 400];

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #1f2328; }
  .title { font-weight: 600; }
  .ours { fill: #0969da; } .other { fill: #8c959f; } .wrong { fill: #cf222e; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .ours { fill: #4493f8; } .other { fill: #7d8590; } .wrong { fill: #f85149; }
  }`;

/** Bars of how long each loader takes, red where the result is wrong. */
export function peersChart({ loads }: { readonly loads: readonly Load[] }): string {
  const load = find(loads, 10_000, 50);
  const lines: string[] = [];
  let y = 20;
  for (const name of SHOWN) {
    const shown = PEERS.flatMap((peer) => load(peer, name) ?? []);
    const longest = Math.max(...shown.filter(({ ended }) => ended !== 'too long').map(({ ms }) => ms));
    lines.push(`<text class="title" x="0" y="${y}">${name}</text>`);
    for (const one of shown) {
      y += ROW;
      const width = Math.max(2, Math.round(MOST * Math.min(1, one.ms / longest)));
      const isCut = one.ended === 'too long';
      const isWrong = !isRight(one) && !isCut;
      const kind = isWrong ? 'wrong' : one.peer === 'astro-luid' ? 'ours' : 'other';
      const note = isWrong ? ', wrong' : isNoQuestion(one) ? ', embeds nothing' : isCut ? ' (cut off)' : '';
      lines.push(
        `<text x="${LABEL - 8}" y="${y}" text-anchor="end">${one.peer}</text>`,
        `<rect class="${kind}" x="${LABEL}" y="${y - BAR + 3}" width="${width}" height="${BAR}" rx="2"/>`,
        `<text x="${LABEL + width + 6}" y="${y}">${time(one)}${note}</text>`,
      );
    }
    y += GAP;
  }
  const height = y - GAP + 12;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="Time of a load of 10,000 entries at 50 ms latency with each loader">
<style>${STYLE}
</style>
${lines.join('\n')}
</svg>
`;
}
