import type { WireContent } from '../../contract/content.ts';
import { childGroups } from '../../models/child-groups.ts';
import { type FieldBase, type FieldsBase, isRecord } from '../../models/field-types/field-type.ts';
import { isReference, isRichText } from '../../models/field-types/index.ts';
import type { FlexibleTextField } from '../../models/field-types/texts.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import type { ModelMap } from '../../models/types.ts';
import { mapValues } from '../../models/walk.ts';
import { memoize } from './memoize.ts';

/** Removes active content from the fields that have `sanitize`. */
export interface Sanitizer {
  /** Equal for sanitizers with equal results. */
  readonly fingerprint: string;
  /** The item with sanitized fields, in embedded content too. */
  sanitizeItem(item: WireContent): WireContent;
  /** Sanitizes the HTML that one of these fields was rendered to. */
  sanitizeRendered(html: string): string;
}

/** Characters of input and output that are memoized per field: some megabytes. */
const MAX_MEMOIZED = 4_000_000;

export interface SanitizerOptions {
  /** Reuse results for equal strings, for servers that sanitize the same content at each request. */
  readonly memoize?: boolean;
}

/** `undefined` if no field has `sanitize`; the optional packages are not loaded then. */
export async function openSanitizer(
  models: ModelMap,
  { memoize: isMemoized = false }: SanitizerOptions = {},
): Promise<Sanitizer | undefined> {
  const formats = new Set(Object.values(models).flatMap(sanitizedFormats));
  if (formats.size === 0) return undefined;
  const { openTextSanitizer } = await import('./sanitize-text.ts');
  const { fingerprint, sanitizerFor, sanitizeRendered } = await openTextSanitizer(formats);
  const sanitizers = new WeakMap<FlexibleTextField, (text: string) => string>();
  const sanitizerOf = (field: FlexibleTextField) => {
    const known = sanitizers.get(field);
    if (known) return known;
    const { format = 'html', sanitize } = field;
    const sanitizeText = sanitizerFor(format, typeof sanitize === 'object' ? sanitize.classes : undefined);
    const sanitizer = isMemoized ? memoize(sanitizeText, MAX_MEMOIZED) : sanitizeText;
    sanitizers.set(field, sanitizer);
    return sanitizer;
  };

  function sanitizeItem(item: WireContent): WireContent {
    return mapValues(fieldsOf(models, item._model), item, ({ field, value }) => {
      if (isSanitized(field) && typeof value === 'string') {
        return sanitizerOf(field as FlexibleTextField)(value);
      }
      return isReference(field) && isRecord(value) ? sanitizeItem(value as unknown as WireContent) : value;
    });
  }

  return { fingerprint, sanitizeItem, sanitizeRendered };
}

/** Whether a field is a flexible text with `sanitize`. */
export function isSanitized(field: FieldBase | undefined): boolean {
  return field !== undefined && isRichText(field) && Boolean(field.sanitize);
}

/** The formats of all fields with `sanitize`, at any depth. */
function sanitizedFormats(fields: FieldsBase): string[] {
  return Object.values(fields).flatMap((field) => [
    ...(isSanitized(field) ? [(field as FlexibleTextField).format ?? 'html'] : []),
    ...childGroups(field).flatMap(([, group]) => sanitizedFormats(group)),
  ]);
}
