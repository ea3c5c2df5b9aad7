import fc from 'fast-check';
import type { createEmulator } from '../../../src/emulator/index.ts';
import { LuidError } from '../../../src/shared/errors.ts';
import { IDS, MEDIA_IDS, MODEL_FIELDS, valuesOf } from './random-fields.ts';
import { LANGUAGES, MODELS } from './random-seed.ts';
import type { Values } from './reference-seed.ts';

type Emulator = ReturnType<typeof createEmulator>;

/** Something that an editor does. */
export interface Change {
  action: (typeof ACTIONS)[number];
  id: number;
  mediaId: number;
  model: string;
  lang: string;
  values: Values;
}

const ACTIONS = [
  'create',
  'edit',
  'edit',
  'saveDraft',
  'publish',
  'unpublish',
  'discardDraft',
  'archive',
  'restore',
  'remove',
  'setAlt',
  'archiveMedia',
  'restoreMedia',
] as const;

export const randomChange: fc.Arbitrary<Change> = fc.record({
  action: fc.constantFrom(...ACTIONS),
  id: fc.constantFrom(...IDS),
  mediaId: fc.constantFrom(...MEDIA_IDS),
  model: fc.constantFrom(...MODELS),
  lang: fc.constantFrom(LANGUAGES.main, ...LANGUAGES.sub),
  // `o` may refer to one model only, so it stays as it is.
  values: valuesOf(MODEL_FIELDS.filter(({ luid }) => luid !== 'o')),
});

/** Does it, unless it cannot be done: no draft to publish, no such item. */
export function applyChange(emulator: Emulator, change: Change): void {
  try {
    apply(emulator, change);
  } catch (error) {
    if (!LuidError.is(error)) throw error;
  }
}

function apply(
  { contents, media, models }: Emulator,
  { action, id, mediaId, model, lang, values }: Change,
): void {
  const fitting = (model: string): Values => {
    const fields = models.get()[model] ?? {};
    return Object.fromEntries(Object.entries(values).filter(([luid]) => Object.hasOwn(fields, luid)));
  };
  switch (action) {
    case 'create':
      contents.create({ model, published: { [lang]: fitting(model) } });
      break;
    case 'edit':
    case 'saveDraft':
      contents[action](id, fitting(contents.get(id).model), { lang });
      break;
    case 'setAlt':
      media.setAlt(mediaId, 'new', { lang });
      break;
    case 'archiveMedia':
      media.archive(mediaId);
      break;
    case 'restoreMedia':
      media.restore(mediaId);
      break;
    default:
      contents[action](id);
  }
}
