import { CLI_FIELD_TYPES } from '../field-types/index.ts';
import type { Surroundings } from './inference-rule.ts';
import type { Shape } from './shapes.ts';
import type { Sightings } from './sightings.ts';
import type { Verdict } from './verdict.ts';

/** What a field is, by all that was seen of it. */
export function inferField(seen: Sightings, around: Surroundings): Verdict {
  const shapes = [...seen.shapes.keys()];
  const [shape] = shapes;
  if (!shape) return { field: { type: 'unknown' }, note: alwaysEmpty(seen) };
  if (shapes.length === 1) return applyRules(shape, seen, around);
  if (shapes.every((one) => one === 'list of blocks' || one === 'list of groups')) {
    const verdict = applyRules('list of groups', seen, around);
    return { ...verdict, doubt: 'some entries look like blocks of a combination' };
  }
  const counts = [...seen.shapes].map(([one, places]) => `${one} in ${places.size}`);
  return { field: { type: 'unknown' }, doubt: `values of several shapes: ${counts.join(', ')}` };
}

function applyRules(shape: Shape, seen: Sightings, around: Surroundings): Verdict {
  const types = Object.values(CLI_FIELD_TYPES).filter((type) => type.shape === shape);
  for (const { judge } of types.flatMap(({ rules }) => rules).sort((a, b) => a.rank - b.rank)) {
    const verdict = judge(seen, around);
    if (verdict) return verdict;
  }
  return { field: { type: 'unknown' } };
}

const HINTS: Record<string, string> = {
  '[]': 'a repeat, a combination or a multi select',
  '""': 'a text, perhaps',
};

function alwaysEmpty({ empties }: Sightings): string {
  const [empty = ''] = empties;
  const hint = empties.size === 1 ? HINTS[empty] : undefined;
  return hint ? `always empty: ${hint}` : 'always empty';
}
