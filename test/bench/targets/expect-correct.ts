import type { Case } from '../peers/cases.ts';
import { isCorrect } from '../peers/load-table.ts';
import type { Load, Measurement } from '../peers/measure.ts';

/** The time of a wrong result means nothing. */
export async function expectCorrect(measurement: Measurement, current: Case): Promise<Load> {
  const load = await measurement.run(current);
  if (load.ended === 'completed' && isCorrect(load)) return load;
  const { peer, size, ended, error, comparison } = load;
  throw new Error(
    `${peer}, ${size} entries, ${current.name}: ${ended} ${error ?? ''} ${JSON.stringify(comparison)}`,
  );
}
