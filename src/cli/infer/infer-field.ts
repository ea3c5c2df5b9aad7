import { CLI_FIELD_TYPES } from '../field-types/index.ts';
import type { InferenceContext, InferredField } from './inference-rule.ts';
import type { Observations } from './observations.ts';
import type { Shape } from './shapes.ts';

/** Infers a field from everything observed about it. */
export function inferField(seen: Observations, context: InferenceContext): InferredField {
  const shapes = [...seen.shapes.keys()];
  const [shape] = shapes;
  if (!shape) return { field: { type: 'unknown' }, note: alwaysEmpty(seen) };
  if (shapes.length === 1) return applyRules(shape, seen, context);
  if (shapes.every((one) => one === 'list of blocks' || one === 'list of groups')) {
    const inferred = applyRules('list of groups', seen, context);
    return { ...inferred, doubt: 'some entries look like blocks of a combination' };
  }
  const counts = [...seen.shapes].map(([one, places]) => `${one} in ${places.size}`);
  return { field: { type: 'unknown' }, doubt: `values of several shapes: ${counts.join(', ')}` };
}

function applyRules(shape: Shape, seen: Observations, context: InferenceContext): InferredField {
  const types = Object.values(CLI_FIELD_TYPES).filter((type) => type.shape === shape);
  for (const { infer } of types.flatMap(({ rules }) => rules).sort((a, b) => a.rank - b.rank)) {
    const inferred = infer(seen, context);
    if (inferred) return inferred;
  }
  return { field: { type: 'unknown' } };
}

const HINTS: Record<string, string> = {
  '[]': 'a repeat, a combination or a multi select',
  '""': 'a text, perhaps',
};

function alwaysEmpty({ empties }: Observations): string {
  const [empty = ''] = empties;
  const hint = empties.size === 1 ? HINTS[empty] : undefined;
  return hint ? `always empty: ${hint}` : 'always empty';
}
