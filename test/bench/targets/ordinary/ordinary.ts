import { readMachine } from '../../machine.ts';
import { measureLoads } from './loads.ts';
import { Measurements, type OrdinaryResults, type Size } from './measured.ts';
import { measureSites } from './site-rounds.ts';

/** Measures ordinary sites: single loads, syncs and builds. */
export async function measureOrdinarySites(sizes: readonly Size[], rounds: number): Promise<OrdinaryResults> {
  const results: { -readonly [size in Size]?: OrdinaryResults[size] } = {};
  for (const size of sizes) {
    const measurements = new Measurements();
    await measureLoads(size, rounds, measurements);
    // Astro’s store of so many articles with HTML would hardly fit into one string.
    if (size < 100_000) await measureSites(size, rounds, measurements);
    results[size] = { machine: readMachine(), measured: measurements.all };
    console.error(`${size} items: measured`);
  }
  return results;
}
