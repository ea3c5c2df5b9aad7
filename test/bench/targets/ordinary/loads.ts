import { CASES, type Case } from '../../peers/cases.ts';
import { openMeasurement } from '../../peers/measure.ts';
import { type PeerName, PLAIN_FETCH as PLAIN_FETCH_PEER } from '../../peers/peer.ts';
import { expectCorrect } from '../expect-correct.ts';
import {
  type CaseName,
  HAND_WRITTEN,
  type Measurements,
  OURS,
  PLAIN_FETCH,
  POCKETBASE,
  type Size,
  STORYBLOK,
} from './measured.ts';

const PEERS: Record<string, PeerName> = {
  [OURS]: OURS,
  [PLAIN_FETCH]: PLAIN_FETCH_PEER,
  [STORYBLOK]: STORYBLOK,
  [HAND_WRITTEN]: HAND_WRITTEN,
  [POCKETBASE]: POCKETBASE,
};
/** Those that read page by page take minutes for 100,000 items at 50 ms. */
const FAST = [OURS, PLAIN_FETCH, STORYBLOK];
const MANY_MINUTES = 15 * 60_000;

const caseOf = (name: Case['name']) => CASES.find((candidate) => candidate.name === name) as Case;
const STEPS: readonly [CaseName, Case][] = [
  ['cold', caseOf('cold')],
  ['cold at 50 ms', { ...caseOf('cold'), latency: 50 }],
  ['nothing changed', caseOf('nothing changed')],
  ['one edit', caseOf('one edit')],
];

/** All loaders in each case in each round, so that what else the machine does affects all of them. */
export async function measureLoads(size: Size, rounds: number, measurements: Measurements): Promise<void> {
  const loaders = Object.keys(PEERS).filter((loader) => size < 100_000 || FAST.includes(loader));
  const open = await Promise.all(
    loaders.map(async (loader) => ({
      loader,
      measurement: await openMeasurement({
        peer: PEERS[loader] as PeerName,
        size,
        latency: 0,
        timeout: MANY_MINUTES,
      }),
    })),
  );
  try {
    for (let round = 0; round < rounds; round++) {
      for (const [name, current] of STEPS) {
        for (const { loader, measurement } of round % 2 ? open.toReversed() : open) {
          const load = await expectCorrect(measurement, current);
          measurements.add({ activity: 'load()', name, loader }, load);
        }
      }
    }
  } finally {
    for (const { measurement } of open) measurement.close();
  }
}
