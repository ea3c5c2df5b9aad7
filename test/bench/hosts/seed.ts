import type { Seed } from '../../../src/emulator/index.ts';
import { SEED } from '../../hosts/site/site-files.ts';
import { titleOf } from '../text.ts';

/** The content of the site of test/hosts, with so many articles. */
export function seedOf(items: number): Seed {
  return {
    ...SEED,
    contents: Array.from({ length: items }, (_, index) => ({
      id: index + 1,
      model: 'article',
      created_at: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
      published: { ja: { title: titleOf(index + 1), cover: 900 } },
    })),
  };
}
