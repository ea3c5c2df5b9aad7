import { find, isRight, seconds } from './load-table.ts';
import type { Load } from './measure.ts';
import { LEAST, PEERS } from './peer.ts';

/** Those that ask for one page after the other. */
const SERIAL = PEERS.filter((peer) => peer !== 'astro-luid' && peer !== 'astro-loader-storyblok');
const WANTED = 8;

/** What the benchmark was made to show, each with whether it does; in figures of this run. */
export function shortcomings(loads: readonly Load[]): string {
  const load = find(loads, 10_000, 50);
  const local = find(loads, 10_000, 0)('astro-luid', 'cold');
  const cold = load('astro-luid', 'cold');
  const storyblok = load('astro-loader-storyblok', 'cold');
  const least = load(LEAST, 'cold');
  const still = load('astro-luid', 'nothing changed');
  const serial = SERIAL.flatMap((peer) => load(peer, 'cold') ?? []).sort((a, b) => a.ms - b.ms)[0];
  if (!cold || !local || !storyblok || !least || !still || !serial) return 'Nothing: that takes a whole run.';

  const fewest = PEERS.flatMap((peer) => load(peer, 'nothing changed') ?? []).sort(
    (a, b) => a.requests - b.requests,
  )[0];
  const times = serial.ms / cold.ms;
  const apart = cold.ms / storyblok.ms;
  const wrong = (name: 'one deletion' | 'referenced entry edited') =>
    PEERS.filter((peer) => {
      const found = load(peer, name);
      return found && !isRight(found);
    }).join(', ') || 'nobody';
  return [
    say(
      times >= WANTED,
      `Cold, ${WANTED} times as fast as the fastest loader that asks page by page (${serial.peer}, ${seconds(serial.ms)}): ${times.toFixed(1)} times.` +
        (times >= WANTED
          ? ''
          : ` The least that a loader can do, to read as many pages at once and put them into the store as they are, takes ${seconds(least.ms)}, which is ${(serial.ms / least.ms).toFixed(1)} times. Ours has to check the items, take digests of them and keep a copy besides; with no latency at all it takes ${seconds(local.ms)}, so that more requests at once would hardly shorten it.`),
    ),
    say(
      apart <= 1,
      `Cold, ahead of the Storyblok loader: ours takes ${apart.toFixed(2)} times as long.` +
        (apart <= 1
          ? ''
          : ` It sends all ${storyblok.requests - 2} pages at once, where ours sends 16 at a time to leave a service of 10 reads a second to others; it checks nothing, and keeps nothing but Astro’s store.`),
    ),
    say(
      still.counted === 0 && isRight(still),
      `Nothing changed: ${still.counted} of ${still.requests} requests count against the limit, and the result is ${isRight(still) ? 'right' : 'wrong'}. The fewest requests: ${fewest?.peer}, ${fewest?.requests}.`,
    ),
    say(isRightOf(load('astro-luid', 'one deletion')), `One deletion: wrong with ${wrong('one deletion')}.`),
    say(
      isRightOf(load('astro-luid', 'referenced entry edited')),
      `A referenced entry edited: wrong with ${wrong('referenced entry edited')}.`,
    ),
  ].join('\n');
}

const isRightOf = (load: Load | undefined) => load !== undefined && isRight(load);
const say = (holds: boolean, text: string) => `- ${holds ? 'Holds' : '**Falls short**'}. ${text}`;
