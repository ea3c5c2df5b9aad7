/** Measures what events of a large space cost: node test/bench/hosts/events.ts [--quick], after a build. */
import type { Seed } from '../../../src/emulator/index.ts';
import { buildSites } from '../../hosts/site/built-sites.ts';
import { SEED } from '../../hosts/site/site-files.ts';
import { readMachine } from '../machine.ts';
import { writeResults } from '../results.ts';
import { titleOf } from '../text.ts';
import { type EventsResults, eventsSection } from './events-section.ts';
import { measureEvents } from './measure-events.ts';

const isQuick = process.argv.includes('--quick');
const ITEMS = isQuick ? 500 : 10_000;

const seed: Seed = {
  ...SEED,
  contents: Array.from({ length: ITEMS }, (_, index) => ({
    id: index + 1,
    model: 'article',
    created_at: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
    published: { ja: { title: titleOf(index + 1), cover: 900 } },
  })),
};
const built = await buildSites(undefined, { seed });
try {
  const figures = await measureEvents(built, isQuick ? 3 : 100);
  const results: EventsResults = { machine: readMachine(), items: ITEMS, ...figures };
  console.log(eventsSection(results));
  if (!isQuick) writeResults('events', results);
} finally {
  await built.close();
}
