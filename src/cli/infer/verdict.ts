import type { Field } from '../../models/field-types/index.ts';

/** What a field is taken for, and how sure that is. */
export interface Verdict {
  readonly field: Field;
  /** Why it may be something else; absent where there is no doubt. */
  readonly doubt?: string | undefined;
  /** What else is worth knowing. */
  readonly note?: string | undefined;
  /** How many different values a choice has. */
  readonly values?: number | undefined;
  /** The service's own answers told, not the values alone. */
  readonly proved?: boolean | undefined;
}

/** What speaks for a verdict, to be written beside the field. */
export interface Evidence extends Omit<Verdict, 'field'> {
  /** Places where it has a value, of all places where it stands. */
  readonly filled: number;
  readonly of: number;
}

/**
 * Which operators the service takes on a field, where that could be found out: by §4.1 that tells
 * text kinds, choices and times apart. `undefined`: not known.
 */
export interface Proof {
  readonly contains?: boolean | undefined;
  readonly eq?: boolean | undefined;
}
