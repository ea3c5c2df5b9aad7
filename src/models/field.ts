import type { FieldBase } from './field-types/field-type.ts';
import type { MediaField } from './field-types/media.ts';
import type { FlexibleTextField, TextField } from './field-types/texts.ts';
import type { Fields, ModelMap } from './types.ts';

/** The options of a builder. */
type Options<F extends FieldBase = FieldBase> = Omit<F, 'type'>;
type None = Record<never, never>;
/** `NoInfer`, otherwise the contextual type of a field would determine its options. */
type Definition<T extends string, O> = { readonly type: T } & NoInfer<O>;

/**
 * The builders of a model map. Each returns plain data (`field.text()` is `{ type: 'text' }`), so a map can also be
 * JSON.
 */
export const field = {
  /** One line of text. */
  text: <const O extends Options<TextField> = None>(options?: O) =>
    ({ type: 'text', ...options }) as Definition<'text', O>,

  /** Several lines of text. */
  multiline: simple('multiline'),

  /** Formatted text, as HTML or in another `format`. */
  flexibleText: <const O extends Options<FlexibleTextField> = None>(options?: O) =>
    ({ type: 'flexible_text', ...options }) as Definition<'flexible_text', O>,

  boolean: simple('boolean'),

  /** One of the option values. Without a list: any string. */
  select: choice('select'),

  /** Several of the option values. Without a list: any strings. */
  multiSelect: choice('multi_select'),

  /** A time; a `Date` in entries. */
  datetime: simple('datetime'),

  /** An image or file: `{ url, alt }`. */
  media: <const O extends Options<MediaField> = None>(options?: O) =>
    ({ type: 'media', ...options }) as Definition<'media', O>,

  /** Content of one model, of several or of any. */
  reference: <const T extends string | readonly string[], const O extends Options = None>(
    model?: T,
    options?: O,
  ) =>
    ({ type: 'reference', ...(model !== undefined && { model }), ...options }) as unknown as Definition<
      'reference',
      (string extends T ? None : { readonly model: T }) & O
    >,

  /** A list of groups, each with the same fields. */
  repeat: group('repeat'),

  /** A list of blocks, each with one of the field sets: `{ luid, fields }`. */
  combination: <const S extends ModelMap, const O extends Options = None>(sets: S, options?: O) =>
    ({ type: 'combination', sets, ...options }) as Definition<'combination', { readonly sets: S } & O>,

  /** A field set: one group of fields. */
  fieldSet: group('field_set'),

  /** A field of an unknown type: any value is valid. */
  unknown: simple('unknown'),
};

/* @__NO_SIDE_EFFECTS__ */
function simple<T extends string>(type: T) {
  return <const O extends Options = None>(options?: O) => ({ type, ...options }) as Definition<T, O>;
}

/* @__NO_SIDE_EFFECTS__ */
function choice<T extends string>(type: T) {
  return <const V extends readonly string[] = readonly string[], const O extends Options = None>(
    values?: V,
    options?: O,
  ) =>
    ({ type, ...(values && { options: values }), ...options }) as Definition<T, { readonly options: V } & O>;
}

/* @__NO_SIDE_EFFECTS__ */
function group<T extends string>(type: T) {
  return <const F extends Fields, const O extends Options = None>(fields: F, options?: O) =>
    ({ type, fields, ...options }) as Definition<T, { readonly fields: F } & O>;
}
