/** Writes RESULTS.md and its charts from results/*.json. */
import { writeFileSync } from 'node:fs';
import { type EndToEndResults, endToEndSection } from './end-to-end/section.ts';
import { limitSection, type OverheadResults, type ReplicaResults } from './limit-section.ts';
import { peersChart } from './peers/chart.ts';
import { type PeersResults, peersSection } from './peers/section.ts';
import { type ProfileResults, profileSection } from './profile-section.ts';
import { readResults } from './results.ts';

const HEAD = `# Benchmarks

Written by \`npm run bench\`, which measures again; the figures are kept in \`results/\`. Machines differ and are
noisy: read the ratios.
`;

/** In the order in which they are shown; what was never measured is left out. */
const sections = [
  part('peers', (results: PeersResults) => {
    writeFileSync(new URL('peers.svg', import.meta.url), peersChart(results));
    return peersSection(results);
  }),
  part('end-to-end', (results: EndToEndResults) => endToEndSection(results)),
  part('replica', (results: ReplicaResults) =>
    limitSection(results, readResults<OverheadResults>('sync-overhead')),
  ),
  part('profile', (results: ProfileResults) => profileSection(results)),
];
writeFileSync(new URL('RESULTS.md', import.meta.url), [HEAD, ...sections.flat()].join('\n'));

function part<T>(name: string, section: (results: T) => string): string[] {
  const results = readResults<T>(name);
  return results ? [section(results)] : [];
}
