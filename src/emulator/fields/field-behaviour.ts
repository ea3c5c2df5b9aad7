import type { Operator, TextFormat } from '../../contract/parameters.ts';
import type { FieldBase, FieldsBase, Values } from '../../models/field-types/field-type.ts';
import type { Assumptions } from '../assumptions.ts';

export type { Values };

/** The properties that `select` names: each whole, or a part of it. */
export type Selection = ReadonlyMap<string, Selection | 'all'>;

/** The formats requested for flexible texts, as a tree of paths. */
export interface Formats {
  readonly format: TextFormat | undefined;
  readonly below: ReadonlyMap<string, Formats>;
}

/** What a request selects of one object in the response. */
export interface Projection {
  /** `undefined`: everything. */
  readonly select: Selection | undefined;
  readonly formats: Formats | undefined;
}

/** Serializes what a value links to, or contains, for a response. */
export interface Scope {
  /** The assumption: the form of empty values. */
  readonly emptyValues: Assumptions['emptyValues'];
  /** A media by id: `{ url, alt }`, or `null`. */
  media(id: number): unknown;
  /** The HTML of a flexible text, with `{assets_url}` replaced by the emulator's assets URL. */
  html(stored: string): string;
  /** Content by id: an object, an id (below the depth limit), or `null`. */
  content(id: number, projection: Projection): unknown;
  group(fields: FieldsBase, values: Values, projection: Projection): Record<string, unknown>;
}

/** What a field type needs to parse a value. */
export interface ParseContext {
  /** Throws an error with the value's path. */
  refuse(expected: string): never;
  /** Truncates a time to the stored resolution. */
  time(time: number): number;
  /** Converts flexible text to HTML. */
  html(text: string): string;
  group(below: string, fields: FieldsBase, values: unknown): Values;
  /** Parses each entry of a list. */
  list<T extends object>(entries: readonly unknown[], parse: (entry: unknown, index: number) => T): T[];
}

/** A condition on a stored value; `undefined` if it is empty. */
export type ValueTest = (stored: unknown) => boolean;

/** The form control that the studio edits a field with. */
export type FormControl =
  | 'text'
  | 'textarea'
  | 'rich-text'
  | 'checkbox'
  | 'select'
  | 'multi-select'
  | 'datetime'
  | 'media'
  | 'content'
  | 'group'
  | 'list'
  | 'blocks'
  | 'json';

/** What a write request depends on besides the shape of its values. */
export interface WritableSpace {
  /** Flexible text is accepted. */
  readonly flexibleText: boolean;
  hasMedia(id: unknown): boolean;
  /** The model of content in a space that the key can write to. */
  modelOf(id: unknown): string | undefined;
}

/**
 * How the service stores, returns, sorts and filters the values of a field type. Its operators, its empty value and the
 * groups inside are declared in `models/field-types`. Empty values are not stored.
 */
export interface FieldBehaviour<F extends FieldBase = FieldBase> {
  /** From the format of write requests (§4.10) to the stored value. */
  parse(field: F, value: unknown, context: ParseContext): unknown;
  /** The reverse of `parse`. Default: the stored value, with the groups inside converted. */
  readonly toWriteValue?: (stored: unknown) => unknown;
  /** §2.2: the value in a response. */
  serialize(field: F, stored: unknown, scope: Scope, projection: Projection): unknown;
  /** What items are sorted by. Absent if the type is not sortable. */
  readonly orderKey?: (stored: unknown) => string | number | boolean;
  /** The condition of a supported operator. Throws a 400 for an invalid operand. */
  readonly test?: (operator: Operator, operand: string) => ValueTest;
  /** The text that the global `contains` searches. Default: none. */
  readonly searchText?: (stored: unknown) => string;
  /** Whether the space accepts a value in a write request. Default: if it can be parsed. */
  readonly isWritable?: (field: F, value: unknown, space: WritableSpace) => boolean;
  readonly control: FormControl;
  /** §4.1: `select` can name properties inside it. */
  readonly selectable?: boolean;
}
