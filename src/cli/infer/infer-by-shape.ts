import type { Field } from '../../models/field-types/index.ts';
import { inferOptions } from './infer-string.ts';
import type { InferenceContext, InferenceRule, InferredField } from './inference-rule.ts';
import type { Observations } from './observations.ts';

/** The only rule for values of a shape. */
export function onlyRule(infer: InferenceRule['infer']): readonly InferenceRule[] {
  return [{ rank: 0, infer }];
}

export function inferMedia(seen: Observations, { assetsOrigin }: InferenceContext): InferredField {
  const elsewhere = [...seen.urls].find((url) => new URL(url).origin !== assetsOrigin);
  const doubt = elsewhere && 'on another origin than other media: media, or a field set of url and alt';
  return { field: { type: 'media' }, doubt };
}

export function inferMultiSelect(seen: Observations): InferredField {
  const { options, doubt } = inferOptions(seen);
  const field: Field = options ? { type: 'multi_select', options } : { type: 'multi_select' };
  return { field, values: seen.texts.size, doubt };
}

export function inferRepeat({ entries }: Observations, { group }: InferenceContext): InferredField {
  if (entries.size === 0) return { field: { type: 'unknown' }, note: 'a list of groups without fields' };
  return { field: { type: 'repeat', fields: group(entries) } };
}

export function inferFieldSet(seen: Observations, { set }: InferenceContext): InferredField {
  const [luid = ''] = seen.sets;
  const fields = set(luid);
  if (Object.keys(fields).length === 0) return { field: { type: 'unknown' }, note: 'a group without fields' };
  return { field: { type: 'field_set', fields } };
}

/** With fewer observations per model or field set, there may be further ones. */
const ENOUGH_OBSERVATIONS = 10;

export function inferReference(
  { ids, filled }: Observations,
  { modelOf, models }: InferenceContext,
): InferredField {
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
  const few = filled.size < ENOUGH_OBSERVATIONS * targets.length;
  const doubt = few
    ? `${filled.size} seen: it may point to other models too`
    : lost > 0
      ? `${lost} of ${found.length} targets could not be looked up`
      : undefined;
  return { field: { type: 'reference', model: targets.length === 1 ? only : targets }, doubt };
}

/** A repeat of a string `luid` and a group `fields` looks the same, unless the blocks are of different sets. */
export function inferCombination(seen: Observations, { set }: InferenceContext): InferredField {
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
      : seen.blocks < ENOUGH_OBSERVATIONS * luids.length
        ? 'there may be other field sets'
        : undefined;
  return { field: { type: 'combination', sets }, doubt };
}
