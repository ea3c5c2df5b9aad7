/** Measures what events of a large space cost: node test/bench/hosts/events.ts [--quick], after a build. */
import { buildSites } from '../../hosts/site/built-sites.ts';
import { readMachine } from '../machine.ts';
import { writeResults } from '../results.ts';
import { type EventsResults, eventsSection } from './events-section.ts';
import { measureEvents } from './measure-events.ts';
import { seedOf } from './seed.ts';

const isQuick = process.argv.includes('--quick');
const ITEMS = isQuick ? 500 : 10_000;

const seed = seedOf(ITEMS);
const built = await buildSites(undefined, { seed });
try {
  const figures = await measureEvents(built, isQuick ? 3 : 100);
  const results: EventsResults = { machine: readMachine(), items: ITEMS, ...figures };
  console.log(eventsSection(results));
  if (!isQuick) writeResults('events', results);
} finally {
  await built.close();
}
