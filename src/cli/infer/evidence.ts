import type { Field } from '../../models/field-types/index.ts';

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

/** The evidence for an inferred field, written as a comment of the field. */
export interface Evidence extends Omit<InferredField, 'field'> {
  /** Number of places where it has a value, and of all places where it occurs. */
  readonly filled: number;
  readonly of: number;
}

/**
 * Whether the service supports these filter operators on a field (§4.1), which distinguishes the string types;
 * `undefined` if unknown.
 */
export interface OperatorSupport {
  readonly contains?: boolean | undefined;
  readonly eq?: boolean | undefined;
}
