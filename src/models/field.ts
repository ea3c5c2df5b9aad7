import type { BooleanField, MultiSelectField, SelectField } from './field-types/choices.ts';
import type { DatetimeField } from './field-types/datetime.ts';
import type { CombinationField, FieldSetField, RepeatField } from './field-types/groups.ts';
import type { MediaField } from './field-types/media.ts';
import type { ReferenceField } from './field-types/reference.ts';
import type { FlexibleTextField, MultilineField, TextField } from './field-types/texts.ts';
import type { UnknownField } from './field-types/unknown.ts';
import type { Fields, ModelMap } from './types.ts';

/** The options of a builder: the definition without what the builder sets itself. */
type Options<F, Set extends keyof F = never> = Omit<F, 'type' | Set>;
type None = Record<never, never>;
// Results are NoInfer, otherwise the contextual type of a field would determine its options.

/**
 * The builders of a model map. Each returns plain data (`field.text()` is `{ type: 'text' }`), so a map can also be
 * JSON.
 */
export const field = {
  /** One line of text. */
  text: <const O extends Options<TextField> = None>(options?: O) =>
    ({ type: 'text', ...options }) as { readonly type: 'text' } & NoInfer<O>,

  /** Several lines of text. */
  multiline: <const O extends Options<MultilineField> = None>(options?: O) =>
    ({ type: 'multiline', ...options }) as { readonly type: 'multiline' } & NoInfer<O>,

  /** Formatted text, as HTML or in another `format`. */
  flexibleText: <const O extends Options<FlexibleTextField> = None>(options?: O) =>
    ({ type: 'flexible_text', ...options }) as { readonly type: 'flexible_text' } & NoInfer<O>,

  boolean: <const O extends Options<BooleanField> = None>(options?: O) =>
    ({ type: 'boolean', ...options }) as { readonly type: 'boolean' } & NoInfer<O>,

  /** One of the option values. Without a list: any string. */
  select: <
    const V extends readonly string[] = readonly string[],
    const O extends Options<SelectField, 'options'> = None,
  >(
    values?: V,
    options?: O,
  ) =>
    ({ type: 'select', ...(values && { options: values }), ...options }) as {
      readonly type: 'select';
      readonly options: NoInfer<V>;
    } & NoInfer<O>,

  /** Several of the option values. Without a list: any strings. */
  multiSelect: <
    const V extends readonly string[] = readonly string[],
    const O extends Options<MultiSelectField, 'options'> = None,
  >(
    values?: V,
    options?: O,
  ) =>
    ({ type: 'multi_select', ...(values && { options: values }), ...options }) as {
      readonly type: 'multi_select';
      readonly options: NoInfer<V>;
    } & NoInfer<O>,

  /** A time; a `Date` in entries. */
  datetime: <const O extends Options<DatetimeField> = None>(options?: O) =>
    ({ type: 'datetime', ...options }) as { readonly type: 'datetime' } & NoInfer<O>,

  /** An image or file: `{ url, alt }`. */
  media: <const O extends Options<MediaField> = None>(options?: O) =>
    ({ type: 'media', ...options }) as { readonly type: 'media' } & NoInfer<O>,

  /** Content of one model, of several or of any. */
  reference: <
    const T extends string | readonly string[],
    const O extends Options<ReferenceField, 'model'> = None,
  >(
    model?: T,
    options?: O,
  ) =>
    ({ type: 'reference', ...(model !== undefined && { model }), ...options }) as unknown as (string extends T
      ? { readonly type: 'reference' }
      : { readonly type: 'reference'; readonly model: NoInfer<T> }) &
      NoInfer<O>,

  /** A list of groups, each with the same fields. */
  repeat: <const F extends Fields, const O extends Options<RepeatField, 'fields'> = None>(
    fields: F,
    options?: O,
  ) =>
    ({ type: 'repeat', fields, ...options }) as {
      readonly type: 'repeat';
      readonly fields: NoInfer<F>;
    } & NoInfer<O>,

  /** A list of blocks, each with one of the field sets: `{ luid, fields }`. */
  combination: <const S extends ModelMap, const O extends Options<CombinationField, 'sets'> = None>(
    sets: S,
    options?: O,
  ) =>
    ({ type: 'combination', sets, ...options }) as {
      readonly type: 'combination';
      readonly sets: NoInfer<S>;
    } & NoInfer<O>,

  /** A field set: one group of fields. */
  fieldSet: <const F extends Fields, const O extends Options<FieldSetField, 'fields'> = None>(
    fields: F,
    options?: O,
  ) =>
    ({ type: 'field_set', fields, ...options }) as {
      readonly type: 'field_set';
      readonly fields: NoInfer<F>;
    } & NoInfer<O>,

  /** A field of an unknown type: any value is valid. */
  unknown: <const O extends Options<UnknownField> = None>(options?: O) =>
    ({ type: 'unknown', ...options }) as { readonly type: 'unknown' } & NoInfer<O>,
};
