import { CONCURRENT_READS } from '../../../src/client/http/rate-limiter.ts';
import { isCorrect, loadFinder, seconds } from './load-table.ts';
import type { Load } from './measure.ts';
import { MINIMAL, PEERS } from './peer.ts';

/** Loaders that request one page after the other. */
const SERIAL = PEERS.filter((peer) => peer !== 'astro-luid' && peer !== 'astro-loader-storyblok');
/** How many times as fast as these a cold load should be. */
const TARGET_SPEEDUP = 8;

/** A Markdown list of our targets, each with the measured result. */
export function performanceTargets(loads: readonly Load[]): string {
  const findLoad = loadFinder(loads, 10_000, 50);
  const withoutLatency = loadFinder(loads, 10_000, 0)('astro-luid', 'cold');
  const cold = findLoad('astro-luid', 'cold');
  const storyblok = findLoad('astro-loader-storyblok', 'cold');
  const minimal = findLoad(MINIMAL, 'cold');
  const unchanged = findLoad('astro-luid', 'nothing changed');
  const serial = SERIAL.flatMap((peer) => findLoad(peer, 'cold') ?? []).sort((a, b) => a.ms - b.ms)[0];
  if (!cold || !withoutLatency || !storyblok || !minimal || !unchanged || !serial)
    return 'Not available: the targets need a complete run.';

  const fewest = PEERS.flatMap((peer) => findLoad(peer, 'nothing changed') ?? []).sort(
    (a, b) => a.requests - b.requests,
  )[0];
  const speedup = serial.ms / cold.ms;
  const toStoryblok = cold.ms / storyblok.ms;
  const wrongLoaders = (name: 'one deletion' | 'referenced entry edited') =>
    PEERS.filter((peer) => {
      const load = findLoad(peer, name);
      return load && !isCorrect(load);
    }).join(', ') || 'none';
  return [
    item(
      speedup >= TARGET_SPEEDUP,
      `Cold load ${TARGET_SPEEDUP} times as fast as the fastest loader that reads page by page (${serial.peer}, ${seconds(serial.ms)}): it is ${speedup.toFixed(1)} times as fast.` +
        (speedup >= TARGET_SPEEDUP
          ? ''
          : ` The minimal loader takes ${seconds(minimal.ms)}, which is ${(serial.ms / minimal.ms).toFixed(1)} times as fast. astro-luid also validates the items, computes digests and writes its cache; without any latency it takes ${seconds(withoutLatency.ms)}, so more parallel requests would hardly help.`),
    ),
    item(
      toStoryblok <= 1,
      `Cold load faster than the Storyblok loader: it takes ${toStoryblok.toFixed(2)} times as long.` +
        (toStoryblok <= 1
          ? ''
          : ` The Storyblok loader requests all ${storyblok.requests - 2} pages at once; astro-luid requests up to ${CONCURRENT_READS} in parallel, to leave capacity for other clients of a service that allows 10 reads per second. The Storyblok loader validates nothing and keeps no cache of its own.`),
    ),
    item(
      unchanged.counted === 0 && isCorrect(unchanged),
      `Nothing changed: ${unchanged.counted} of ${unchanged.requests} requests count against the rate limit, and the result is ${isCorrect(unchanged) ? 'correct' : 'wrong'}. Fewest requests: ${fewest?.peer}, ${fewest?.requests}.`,
    ),
    item(
      isFoundCorrect(findLoad('astro-luid', 'one deletion')),
      `Correct after one deletion. Wrong: ${wrongLoaders('one deletion')}.`,
    ),
    item(
      isFoundCorrect(findLoad('astro-luid', 'referenced entry edited')),
      `Correct after a referenced entry was edited. Wrong: ${wrongLoaders('referenced entry edited')}.`,
    ),
  ].join('\n');
}

const isFoundCorrect = (load: Load | undefined) => load !== undefined && isCorrect(load);
const item = (isMet: boolean, description: string) => `- ${isMet ? 'Met' : '**Missed**'}. ${description}`;
