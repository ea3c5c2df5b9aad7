import type { ItemAction, StudioField, StudioItem } from '../../../studio-types.ts';

/** What to ask before an action. */
interface Doubt {
  readonly title: string;
  readonly text: string;
  readonly accept: string;
}

/** Why an action may not be meant; `undefined` if nothing speaks against it. */
export function doubtAbout(
  action: ItemAction,
  item: Pick<StudioItem, 'draft' | 'published'>,
  fields: readonly StudioField[],
): Doubt | undefined {
  if (action === 'discard') {
    return {
      title: 'Discard the draft?',
      text: 'The published data stays. What only the draft contains cannot be brought back.',
      accept: 'Discard',
    };
  }
  const empty = action === 'publish' ? emptyRequiredFields(item, fields) : [];
  if (empty.length === 0) return undefined;
  return {
    title: 'Publish with empty required fields?',
    text:
      `${empty.join(', ')}: required, and empty. The specification of the API does not say whether the service refuses that; ` +
      'the studio publishes it. A site whose model map requires the field reports the item as invalid.',
    accept: 'Publish anyway',
  };
}

/** Of the model itself: those in groups may be left out with their group. With the language, if there are several. */
function emptyRequiredFields(
  { draft, published }: Pick<StudioItem, 'draft' | 'published'>,
  fields: readonly StudioField[],
): string[] {
  const data = { ...published, ...draft };
  const languages = Object.keys(data);
  return languages.flatMap((lang) =>
    fields
      .filter(({ luid, required }) => required && isEmpty(data[lang]?.[luid]))
      .map(({ luid }) => (languages.length > 1 ? `${luid} (${lang})` : luid)),
  );
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  );
}
