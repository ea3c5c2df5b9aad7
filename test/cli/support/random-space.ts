import type { Seed, SeedContent } from '../../../src/emulator/index.ts';
import type { Field } from '../../../src/models/field-types/index.ts';
import type { ModelMap } from '../../../src/models/types.ts';
import { seededFractions } from '../../support/seeded-random.ts';

const WORDS = 'harbour night tea field train craft 港 山 霧 夜明け paper ink river stone & quiet'.split(' ');
const OPTIONS = ['news', 'event', 'travel', 'food', 'night-train', 'Tea & Co', '工芸', 'low', 'high', '10'];
/** Names that mean something in JavaScript among plain ones. */
const NAMES = ['constructor', 'then', 'class', 'default', '3d', 'luid', 'fields', 'url', 'to_string', '_x'];
const MEDIA = 900_000;

/** A space with every field type, alone and in groups, filled at random. */
export function randomSpace(start: number, { least = 60, most = 260 } = {}): Seed & { models: ModelMap } {
  const next = seededFractions(start);
  const below = (most: number) => Math.floor(next() * most);
  const pick = <T>(list: readonly T[]) => list[below(list.length)] as T;
  const some = <T>(list: readonly T[], count: number) => [...list].sort(() => next() - 0.5).slice(0, count);
  const words = (count: number) => Array.from({ length: count }, () => pick(WORDS)).join(' ');
  const names = [...some(NAMES, NAMES.length)];
  const modelNames = ['article', 'author', 'page', pick(['class', 'constructor', 'event'])];
  const counts = modelNames.map(() => least + below(most - least));
  const idsOf = modelNames.map((_, index) =>
    Array.from({ length: counts[index] ?? 0 }, (_, at) => (index + 1) * 1000 + at),
  );

  const scalars = (): Field[] => [
    { type: 'text' },
    { type: 'multiline' },
    { type: 'flexible_text' },
    { type: 'boolean' },
    { type: 'select', options: some(OPTIONS, 2 + below(5)) },
    { type: 'multi_select', options: some(OPTIONS, 2 + below(5)) },
    { type: 'datetime' },
    { type: 'media' },
    { type: 'reference', model: pick(modelNames) },
    { type: 'reference', model: some(modelNames, 2) },
    { type: 'reference' },
  ];
  const group = (prefix: string): Record<string, Field> =>
    Object.fromEntries(scalars().map((field, index) => [`${prefix}${index}_${field.type}`, field]));
  const inner: Field = { type: 'repeat', fields: group('i') };
  /** §1: a field set is the same wherever it is used. */
  const sets = { hero: group('h'), quote: group('q'), seo: group('s') };

  const models = Object.fromEntries(
    modelNames.map((model) => {
      const fields: [string, Field][] = [
        ...scalars().map((field, index): [string, Field] => [names[index] ?? `f${index}`, field]),
        ['seo', { type: 'field_set', fields: sets.seo }],
        ['rows', { type: 'repeat', fields: group('r') }],
        ['parts', { type: 'repeat', fields: { ...group('p'), inner } }],
        ['sections', { type: 'combination', sets: { hero: sets.hero, quote: sets.quote } }],
        ['byline', { type: 'text' }],
        ['unused', { type: 'media' }],
      ];
      // The title stands first, or last with another text before it.
      const title: [string, Field] = ['title', { type: 'text', title: true }];
      return [model, Object.fromEntries(next() < 0.5 ? [title, ...fields] : [...fields, title])];
    }),
  ) as ModelMap;

  const values = (fields: Record<string, Field>, chance: number): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(fields)
        .filter(([luid]) => luid === 'title' || (luid !== 'unused' && next() < chance))
        .map(([luid, field]) => [luid, luid === 'byline' ? pick(['Mori', 'Tanaka', 'Sato']) : value(field)]),
    );
  function value(field: Field): unknown {
    switch (field.type) {
      case 'text':
        return `${words(1 + below(4))} ${below(1000)}`;
      case 'multiline':
        return Array.from({ length: 1 + below(4) }, () => words(6)).join('\r\n');
      case 'flexible_text':
        return Array.from({ length: 1 + below(3) }, () => `<p>${words(8).replaceAll('&', '&amp;')}</p>`).join(
          '',
        );
      case 'boolean':
        return next() < 0.5;
      case 'select':
        return pick(field.options ?? []);
      case 'multi_select':
        return some(field.options ?? [], 1 + below(2));
      case 'datetime':
        return new Date(Date.UTC(2026, below(12), 1 + below(28), below(24))).toISOString();
      case 'media':
        return MEDIA + below(20);
      case 'reference': {
        const targets = typeof field.model === 'string' ? [field.model] : (field.model ?? modelNames);
        return pick(idsOf[modelNames.indexOf(pick(targets))] ?? []);
      }
      case 'repeat':
        return Array.from({ length: below(4) }, () => values(field.fields as Record<string, Field>, 0.8));
      case 'combination':
        return Array.from({ length: below(4) }, () => {
          const luid = pick(Object.keys(field.sets));
          return { luid, fields: values(field.sets[luid] as Record<string, Field>, 0.8) };
        });
      case 'field_set':
        return values(field.fields as Record<string, Field>, 0.8);
      case 'unknown':
        return undefined;
    }
  }

  const sub = pick([[], ['en'], ['en', 'fr']]);
  const contents = modelNames.flatMap((model, index) =>
    (idsOf[index] ?? []).map((id): SeedContent => {
      const fields = models[model] as Record<string, Field>;
      const langs = ['ja', ...sub.filter(() => next() < 0.4)];
      const data = Object.fromEntries(langs.map((lang) => [lang, values(fields, 0.8)]));
      const created_at = new Date(Date.UTC(2026, 0, 1) + below(10_000_000) * 1000).toISOString();
      return { id, model, created_at, ...(next() < 0.1 ? { draft: data } : { published: data }) };
    }),
  );
  return {
    languages: { main: 'ja', sub },
    keys: [
      { key: 'published', reads: 'published' },
      { key: 'drafts', reads: 'drafts' },
    ],
    models,
    media: Array.from({ length: 20 }, (_, index) => ({ id: MEDIA + index, file: `${index}.jpg`, alt: 'A' })),
    contents,
  };
}
