import type { StudioField, StudioItem } from '../../../../src/emulator/studio/studio-types.ts';

type Definition = Partial<Omit<StudioField, 'luid'>> & Pick<StudioField, 'control'>;

/** A field as the emulator describes it to the page. */
export function studioField(luid: string, definition: Definition): StudioField {
  return { luid, type: definition.control, required: false, ...definition };
}

/** One field of every kind, with groups inside groups. */
export const FIELDS: readonly StudioField[] = [
  studioField('title', { control: 'text' }),
  studioField('lead', { control: 'textarea' }),
  studioField('visible', { control: 'checkbox' }),
  studioField('tags', { control: 'multi-select', options: ['sea', 'tea'] }),
  studioField('starts_at', { control: 'datetime' }),
  studioField('cover', { control: 'media' }),
  studioField('author', { control: 'content', models: ['author'] }),
  studioField('seo', {
    control: 'group',
    fields: [studioField('title', { control: 'text' }), studioField('image', { control: 'media' })],
  }),
  studioField('dates', {
    control: 'list',
    fields: [studioField('at', { control: 'datetime' }), studioField('note', { control: 'text' })],
  }),
  studioField('blocks', {
    control: 'blocks',
    sets: [
      { luid: 'quote', fields: [studioField('text', { control: 'text' })] },
      { luid: 'data', fields: [studioField('value', { control: 'json' })] },
    ],
  }),
  studioField('extra', { control: 'json' }),
];

export function fieldNamed(luid: string): StudioField {
  const field = FIELDS.find((other) => other.luid === luid);
  if (!field) throw new Error(`There is no field ${luid}.`);
  return field;
}

/** An item with a draft in Japanese. */
export function studioItem(version: string, draft: StudioItem['draft']): StudioItem {
  return {
    id: 1,
    model: 'article',
    title: 'One',
    status: 'draft',
    languages: ['ja'],
    space: '_parent',
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-01-01T00:00:00Z',
    publishedAt: null,
    lastPublishedAt: null,
    version,
    draft,
    linkedContents: [],
    linkedMedia: [],
  };
}
