import { seededRandom } from '../support/seeded-random.ts';
import { searchWithoutTime } from './fault-runner.ts';
import type { Exchange, FaultHandler } from './faulty-proxy.ts';

/**
 * Chooses one of the faults for every fifth request. The choice depends on the URL and how often it was
 * requested, not on the order in which requests arrive.
 */
export function chooseRandomFaults(seed: string, handlers: Readonly<Record<string, FaultHandler>>) {
  const names = Object.keys(handlers);
  const counts = new Map<string, number>();
  return ({ url }: Exchange) => {
    const search = searchWithoutTime(url);
    const count = (counts.get(search) ?? 0) + 1;
    counts.set(search, count);
    const random = seededRandom(`${seed} ${search} ${count}`);
    if (random(5) > 0) return undefined;
    const name = names[random(names.length)] as string;
    return { name, handler: handlers[name] as FaultHandler };
  };
}
