import type { WireContent } from '../../contract/content.ts';
import { childGroups } from '../../models/child-groups.ts';
import { type FieldBase, type FieldsBase, isRecord } from '../../models/field-types/field-type.ts';
import { isReference, isRichText } from '../../models/field-types/index.ts';
import type { FlexibleTextField } from '../../models/field-types/texts.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import type { ModelMap } from '../../models/types.ts';
import { mapValues } from '../../models/walk.ts';
import { rememberResults } from './remember.ts';

/** Takes active content out of the texts that ask for it. */
export interface Sanitizer {
  /** Equal for what cleans in the same way. */
  readonly stamp: string;
  /** The item with clean texts, and clean ones in whatever content it embeds. */
  clean(item: WireContent): WireContent;
  /** The same for HTML that one of the texts was rendered to. */
  cleanRendered(html: string): string;
}

/** What a server keeps of a field's cleaned texts and what they were, in characters: some megabytes. */
const MOST_REMEMBERED = 4_000_000;

export interface SanitizerOptions {
  /** Keep results for texts that are cleaned again and again, as on a server that reads them for each request. */
  readonly remember?: boolean;
}

/** Nothing, where no field asks for it; then none of what cleans is loaded either. */
export async function openSanitizer(
  models: ModelMap,
  { remember = false }: SanitizerOptions = {},
): Promise<Sanitizer | undefined> {
  const formats = new Set(Object.values(models).flatMap(formatsToClean));
  if (formats.size === 0) return undefined;
  const { openTextCleaner } = await import('./clean-text.ts');
  const { stamp, cleanerFor, cleanRendered } = await openTextCleaner(formats);
  const cleaners = new WeakMap<FlexibleTextField, (text: string) => string>();
  const cleanerOf = (field: FlexibleTextField) => {
    const known = cleaners.get(field);
    if (known) return known;
    const { format = 'html', sanitize } = field;
    const cleanIt = cleanerFor(format, typeof sanitize === 'object' ? sanitize.classes : undefined);
    const cleaner = remember ? rememberResults(cleanIt, MOST_REMEMBERED) : cleanIt;
    cleaners.set(field, cleaner);
    return cleaner;
  };

  function clean(item: WireContent): WireContent {
    return mapValues(fieldsOf(models, item._model), item, ({ field, value }) => {
      if (isCleaned(field) && typeof value === 'string') {
        return cleanerOf(field as FlexibleTextField)(value);
      }
      return isReference(field) && isRecord(value) ? clean(value as unknown as WireContent) : value;
    });
  }

  return { stamp, clean, cleanRendered };
}

/** Whether a field asks for clean texts. */
export function isCleaned(field: FieldBase | undefined): boolean {
  return field !== undefined && isRichText(field) && Boolean(field.sanitize);
}

/** The formats of the texts that are to be cleaned, however deep they lie. */
function formatsToClean(fields: FieldsBase): string[] {
  return Object.values(fields).flatMap((field) => [
    ...(isCleaned(field) ? [(field as FlexibleTextField).format ?? 'html'] : []),
    ...childGroups(field).flatMap(([, group]) => formatsToClean(group)),
  ]);
}
