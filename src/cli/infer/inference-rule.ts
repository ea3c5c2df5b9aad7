import type { FieldsBase } from '../../models/field-types/field-type.ts';
import type { Group, Sightings } from './sightings.ts';
import type { Proof, Verdict } from './verdict.ts';

/** What a field is judged by, besides its own sightings. */
export interface Surroundings {
  /** The model of a content id, where it could be looked up. */
  modelOf(id: number): string | undefined;
  /** The models that the map will have. */
  readonly models: readonly string[];
  proofOf(seen: Sightings): Proof | undefined;
  /** The field gives `_title`. */
  readonly isTitle: boolean;
  /** The origin of most media URLs. */
  readonly assetsOrigin: string | undefined;
  /** Judges the fields of a repeat. */
  group(group: Group): FieldsBase;
  /** Judges the fields of a field set that is used here, or `below` this field. */
  set(luid: string, below?: string): FieldsBase;
}

/** How content shows that a field is of a type. */
export interface InferenceRule {
  /** Of all rules for values of one shape, those of a lower rank are tried first. */
  readonly rank: number;
  /** `undefined` if the content does not look like this type. */
  readonly judge: (seen: Sightings, around: Surroundings) => Verdict | undefined;
}

/** The only rule for values of a shape. */
export function onlyRule(judge: InferenceRule['judge']): readonly InferenceRule[] {
  return [{ rank: 0, judge }];
}
