import type { Operator, TextFormat } from '../../contract/parameters.ts';
import type { FieldBase, FieldsBase, Values } from '../../models/field-types/field-type.ts';

export type { Values };

/** What `select` leaves of an object: by property, all of it or a part. */
export type Selection = ReadonlyMap<string, Selection | 'all'>;

/** Which flexible text is asked for in another format, by path. */
export interface Formats {
  readonly format: TextFormat | undefined;
  readonly below: ReadonlyMap<string, Formats>;
}

/** What was asked of one place in the answer. */
export interface Asked {
  /** `undefined`: everything. */
  readonly select: Selection | undefined;
  readonly formats: Formats | undefined;
}

/** How the links of a value are shown, in the place where it stands. */
export interface Scope {
  /** A media by id: `{ url, alt }`, or `null`. */
  media(id: number): unknown;
  /** The HTML of a flexible text, with `{assets_url}` in it replaced by the address that this emulator has. */
  html(kept: string): string;
  /** A content by id, at the depth that remains: an object, an id, or `null`. */
  content(id: number, asked: Asked): unknown;
  group(fields: FieldsBase, values: Values, asked: Asked): Record<string, unknown>;
}

/** The surroundings of a value that is taken in. */
export interface Intake {
  /** Throws, naming the place. */
  refuse(expected: string): never;
  /** Cuts a time to the resolution that is stored. */
  time(time: number): number;
  /** The HTML of a flexible text that is taken in. */
  html(text: string): string;
  group(below: string, fields: FieldsBase, values: unknown): Values;
}

/** What a dot path meets behind a field. */
export type Inside =
  | { readonly via: 'set'; readonly fields: FieldsBase }
  | { readonly via: 'entries'; readonly fields: FieldsBase }
  | { readonly via: 'content'; readonly models: readonly string[] | undefined }
  | { readonly via: 'blocks'; readonly sets: { readonly [luid: string]: FieldsBase } };

/** A condition on a kept value, `undefined` where it is empty. */
export type ValueTest = (kept: unknown) => boolean;

/** What a write request depends on besides the shape of its values. */
export interface WritableSpace {
  /** Flexible text is accepted. */
  readonly flexibleText: boolean;
  hasMedia(id: unknown): boolean;
  /** The model of content in a space that the key can write to. */
  modelOf(id: unknown): string | undefined;
}

export type GiveGroup = (fields: FieldsBase, values: Values) => Record<string, unknown>;
export type TextsOf = (fields: FieldsBase, values: Values) => string[];

/**
 * How the service keeps, shows, orders and compares the values of one field type. Which operators a
 * type allows is in `models/`. Kept values are never empty: an empty field is not there.
 */
export interface FieldBehaviour<F extends FieldBase = FieldBase> {
  /** From the write shape (§4.10) to what is kept. */
  take(field: F, value: unknown, intake: Intake): unknown;
  /** Back to the write shape; absent where that is the same. `group` does it for a group inside. */
  readonly give?: (field: F, kept: unknown, group: GiveGroup) => unknown;
  /** §2.2: the value in a response. */
  show(field: F, kept: unknown, scope: Scope, asked: Asked): unknown;
  /** What it is ordered by; absent where no order makes sense. */
  readonly orderKey?: (kept: unknown) => string | number | boolean;
  /** The condition of an allowed operator; throws a 400 at an operand that cannot be. */
  readonly test?: (operator: Operator, operand: string) => ValueTest;
  /** The texts in it that the global `contains` searches. `group` finds those of a group inside. */
  readonly texts?: (field: F, kept: unknown, group: TextsOf) => string[];
  readonly inside?: (field: F) => Inside;
  /** Whether the space accepts a valid value in a write request. Default: yes. */
  readonly isWritable?: (field: F, value: unknown, space: WritableSpace) => boolean;
  /** §4.1: `select` may lead into it. */
  readonly selectable?: boolean;
}
