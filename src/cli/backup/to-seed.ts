import type { Seed } from '../../emulator/index.ts';
import type { Export } from './read-export.ts';

/** The space of an export for the emulator. Its keys are not those of the service, which no export contains. */
export function toSeed({ manifest, models, items }: Export): Seed {
  const contents = [...items.values()];
  const spaces = new Set(contents.flatMap(({ space }) => space ?? []));
  return {
    languages: manifest.languages,
    ...(spaces.size > 0 && { spaces: [...spaces] }),
    keys: [
      { key: 'published-key', reads: 'published' },
      { key: 'draft-key', reads: 'drafts' },
    ],
    models,
    media: manifest.media.map(({ id, file, alt }) => ({ id, file, alt })),
    contents,
  };
}
