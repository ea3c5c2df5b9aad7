import { slugField } from '../routes/content-route.ts';
import type { LintedItem } from './linted-item.ts';
import { inEachItem, type LintedContent, type Problem, quote, type Rule } from './rule.ts';

export const FIELD_RULES: readonly Rule[] = [
  {
    name: 'empty-required',
    severity: 'error',
    about: 'required fields without a value',
    fix: 'Fill it in, or remove `required` from the field in the model map.',
    find: inEachItem(({ missing }) => missing.map((field) => ({ field, message: 'required, but empty' }))),
  },
  {
    name: 'duplicate-slug',
    severity: 'error',
    about: 'items of a model with the same slug in one language',
    fix: 'Give each its own slug: they would have the same URL.',
    *find(content) {
      const { models, site } = content;
      for (const model of Object.keys(models)) {
        const routes = site.routes.filter((route) => route.model === model);
        for (const field of new Set([slugField(models, model), ...routes.map(({ id }) => id)])) {
          if (field === undefined) continue;
          yield* duplicates(content, field, (one) => (one.model === model ? one.item[field] : undefined));
        }
      }
    },
  },
  {
    name: 'duplicate-title',
    severity: 'warning',
    about: 'items of a model with the same title in one language',
    fix: 'Change one of them, or merge the items if they are the same.',
    find: (content) => duplicates(content, '_title', ({ title }) => title.normalize('NFKC').trim()),
  },
  {
    name: 'missing-translation',
    severity: 'warning',
    about: 'items without data in a language that at least half of their model has',
    fix: 'Translate it, or switch the rule off if that is intended.',
    *find({ main, sub }) {
      const byModel = Map.groupBy(main.items.values(), ({ model }) => model);
      for (const { lang, items: translated } of sub) {
        for (const items of byModel.values()) {
          const missing = items.filter(({ id }) => !translated.has(id));
          if (missing.length * 2 > items.length) continue;
          for (const item of missing) yield { item, field: '', message: `no translation in ${lang}` };
        }
      }
    },
  },
];

/** The items of a model that share a value, each with the first one that has it. */
function* duplicates(
  { main, sub }: LintedContent,
  field: string,
  read: (item: LintedItem) => unknown,
): Generator<Problem> {
  for (const { items } of [main, ...sub]) {
    const first = new Map<string, LintedItem>();
    for (const item of items.values()) {
      const value = read(item);
      if (typeof value !== 'string' || value === '') continue;
      const key = `${item.model} ${value}`;
      const other = first.get(key);
      if (!other) first.set(key, item);
      else yield { item, field, message: `${quote(value)} is also that of ${other.model} ${other.id}` };
    }
  }
}
