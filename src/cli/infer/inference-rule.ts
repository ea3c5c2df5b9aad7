import type { FieldsBase } from '../../models/field-types/field-type.ts';
import type { InferredField, OperatorSupport } from './evidence.ts';
import type { Group, Observations } from './observations.ts';

/** What a field is inferred from, besides its own observations. */
export interface InferenceContext {
  /** The model of a content id, where it could be looked up. */
  modelOf(id: number): string | undefined;
  /** The models that the map will have. */
  readonly models: readonly string[];
  operatorSupportOf(seen: Observations): OperatorSupport | undefined;
  /** The field gives `_title`. */
  readonly isTitle: boolean;
  /** The origin of most media URLs. */
  readonly assetsOrigin: string | undefined;
  /** Infers the fields of a repeat. */
  group(group: Group): FieldsBase;
  /** Infers the fields of a field set that is used here, or `below` this field. */
  set(luid: string, below?: string): FieldsBase;
}

/** How the type of a field is recognized in content. */
export interface InferenceRule {
  /** Of all rules for values of one shape, those of a lower rank are tried first. */
  readonly rank: number;
  /** `undefined` if the content does not look like this type. */
  readonly infer: (seen: Observations, context: InferenceContext) => InferredField | undefined;
}

/** The only rule for values of a shape. */
export function onlyRule(infer: InferenceRule['infer']): readonly InferenceRule[] {
  return [{ rank: 0, infer }];
}
