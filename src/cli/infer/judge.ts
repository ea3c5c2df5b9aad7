import type { FieldsBase } from '../../models/field-types/field-type.ts';
import type { Field } from '../../models/field-types/index.ts';
import type { Shape } from './shapes.ts';
import type { Group, Sightings } from './sightings.ts';
import { judgeOptions, judgeTexts } from './texts.ts';
import type { Proof, Verdict } from './verdict.ts';

/** What a field is judged by, beside its own sightings. */
export interface Surroundings {
  /** The model of a content id, where it could be looked up. */
  modelOf(id: number): string | undefined;
  /** The models that the map will have. */
  readonly models: readonly string[];
  proofOf(seen: Sightings): Proof | undefined;
  /** The field gives `_title`. */
  readonly isTitle: boolean;
  /** Where most media lie. */
  readonly assetsOrigin: string | undefined;
  /** Judges the fields of a repeat. */
  group(group: Group): FieldsBase;
  /** Judges the fields of a field set that is used here, or `below` this field. */
  set(luid: string, below?: string): FieldsBase;
}

/** What a field is, by all that was seen of it. */
export function judge(seen: Sightings, around: Surroundings): Verdict {
  const shapes = [...seen.shapes.keys()];
  const [shape] = shapes;
  if (!shape) return { field: { type: 'unknown' }, note: alwaysEmpty(seen) };
  if (shapes.length === 1) return JUDGES[shape](seen, around);
  if (shapes.every((one) => one === 'list of blocks' || one === 'list of groups')) {
    const verdict = JUDGES['list of groups'](seen, around);
    return { ...verdict, doubt: 'some entries look like blocks of a combination' };
  }
  const counts = [...seen.shapes].map(([one, places]) => `${one} in ${places.size}`);
  return { field: { type: 'unknown' }, doubt: `values of several shapes: ${counts.join(', ')}` };
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

const JUDGES: { readonly [S in Shape]: (seen: Sightings, around: Surroundings) => Verdict } = {
  text: (seen, { isTitle, proofOf }) => judgeTexts(seen, isTitle, proofOf(seen)),
  'true or false': () => ({ field: { type: 'boolean' } }),
  'content id': judgeReference,
  media: (seen, { assetsOrigin }) => {
    const elsewhere = [...seen.urls].find((url) => new URL(url).origin !== assetsOrigin);
    const doubt = elsewhere && 'lies elsewhere than other media: media, or a field set of url and alt';
    return { field: { type: 'media' }, doubt };
  },
  'list of texts': (seen) => {
    const { options, doubt } = judgeOptions(seen);
    const field: Field = options ? { type: 'multi_select', options } : { type: 'multi_select' };
    return { field, values: seen.texts.size, doubt };
  },
  'list of groups': ({ entries }, { group }) => {
    if (entries.size === 0) return { field: { type: 'unknown' }, note: 'a list of groups without fields' };
    return { field: { type: 'repeat', fields: group(entries) } };
  },
  'list of blocks': judgeCombination,
  group: (seen, { set }) => {
    const [luid = ''] = seen.sets;
    const fields = set(luid);
    if (Object.keys(fields).length === 0)
      return { field: { type: 'unknown' }, note: 'a group without fields' };
    return { field: { type: 'field_set', fields } };
  },
  'something else': () => ({ field: { type: 'unknown' }, doubt: 'values of no shape that the service has' }),
};

/** Fewer sightings than this many for each model or field set leave room for another. */
const ENOUGH = 10;

function judgeReference({ ids, filled }: Sightings, { modelOf, models }: Surroundings): Verdict {
  const found = [...ids].map(modelOf);
  const targets = [...new Set(found.filter((model) => model !== undefined))].sort();
  const [only] = targets;
  if (only === undefined) {
    return { field: { type: 'reference' }, doubt: 'no target could be looked up: which model?' };
  }
  const undeclared = targets.filter((model) => !models.includes(model));
  if (undeclared.length > 0) {
    const note = `points to ${targets.join(', ')}, of which ${undeclared.join(', ')} is not declared here`;
    return { field: { type: 'reference' }, note };
  }
  if (targets.length > 1 && targets.length === models.length) {
    return { field: { type: 'reference' }, doubt: `points to each of ${targets.join(', ')}: these, or any?` };
  }
  const lost = found.length - found.filter((model) => model !== undefined).length;
  const few = filled.size < ENOUGH * targets.length;
  const doubt = few
    ? `${filled.size} seen: it may point to other models too`
    : lost > 0
      ? `${lost} of ${found.length} targets could not be looked up`
      : undefined;
  return { field: { type: 'reference', model: targets.length === 1 ? only : targets }, doubt };
}

/** A repeat of a text `luid` and a group `fields` looks the same; blocks of different sets do not. */
function judgeCombination(seen: Sightings, { set }: Surroundings): Verdict {
  const luids = [...seen.sets].sort();
  const sets = Object.fromEntries(luids.map((luid) => [luid, set(luid, `.${luid}`)]));
  const empty = luids.filter((luid) => Object.keys(sets[luid] ?? {}).length === 0);
  for (const luid of empty) delete sets[luid];
  if (luids.length === empty.length) {
    return { field: { type: 'unknown' }, note: 'a combination of sets without fields' };
  }
  const kinds = new Set([...seen.blockKeys.values()].map((keys) => [...keys].sort().join()));
  const doubt =
    kinds.size === 1 && seen.blocks < 2 * luids.length
      ? 'few blocks seen: a combination, or a repeat of `luid` and `fields`'
      : seen.blocks < ENOUGH * luids.length
        ? 'there may be other field sets'
        : undefined;
  return { field: { type: 'combination', sets }, doubt };
}
