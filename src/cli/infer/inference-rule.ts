import type { FieldsBase } from '../../models/field-types/field-type.ts';
import type { Field } from '../../models/field-types/index.ts';
import type { Group, Observations } from './observations.ts';

/** A field as it was inferred, and how certain that is. */
export interface InferredField {
  readonly field: Field;
  /** Why it may be another type; absent if it is certain. */
  readonly doubt?: string | undefined;
  /** A further remark. */
  readonly note?: string | undefined;
  /** Number of different values of a select or multi-select. */
  readonly values?: number | undefined;
  /** Confirmed by the filter operators that the service supports, not only by the values. */
  readonly proved?: boolean | undefined;
}

/**
 * Whether the service supports these filter operators on a field (§4.1), which distinguishes the string types;
 * `undefined` if unknown.
 */
export interface OperatorSupport {
  readonly contains?: boolean | undefined;
  readonly eq?: boolean | undefined;
}

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
