import { slugField } from '../routes/content-route.ts';
import type { LintedItem } from './linted-item.ts';
import { allItems, type LintedContent, type Problem, type Rule } from './rule.ts';
import { quote } from './text-rules.ts';

export const FIELD_RULES: readonly Rule[] = [
  {
    name: 'empty-required',
    severity: 'error',
    about: 'required fields without a value',
    fix: 'Fill it in, or remove `required` from the field in the model map.',
    *find(content) {
      for (const item of allItems(content)) {
        for (const field of item.missing) yield { item, field, message: 'required, but empty' };
      }
    },
  },
  {
    name: 'duplicate-slug',
    severity: 'error',
    about: 'items of a model with the same slug in one language',
    fix: 'Give each its own slug: they would have the same URL.',
    find: (content) =>
      duplicates(content, ({ model, item }) => {
        const routes = content.site.routes.filter((route) => route.model === model);
        const fields = new Set([slugField(content.models, model), ...routes.map(({ id }) => id)]);
        return [...fields].flatMap((field) =>
          field !== undefined && typeof item[field] === 'string' ? [[field, item[field]] as const] : [],
        );
      }),
  },
  {
    name: 'duplicate-title',
    severity: 'warning',
    about: 'items of a model with the same title in one language',
    fix: 'Change one of them, or merge the items if they are the same.',
    find: (content) => duplicates(content, ({ title }) => [['_title', title.normalize('NFKC').trim()]]),
  },
  {
    name: 'missing-translation',
    severity: 'warning',
    about: 'items without data in a language that at least half of their model has',
    fix: 'Translate it, or switch the rule off if that is intended.',
    *find({ languages: [main = new Map(), ...others] }) {
      const totals = countByModel(main.values());
      for (const translated of others) {
        const counts = countByModel([...translated.values()].filter(({ id }) => main.has(id)));
        const lang = [...translated.values()][0]?.lang;
        for (const item of main.values()) {
          const count = counts.get(item.model) ?? 0;
          if (translated.has(item.id) || count * 2 < (totals.get(item.model) ?? 0)) continue;
          yield { item, field: '', message: `no translation in ${lang}` };
        }
      }
    },
  },
];

/** The items that share a value, each with the first one that has it. */
function* duplicates(
  { languages }: LintedContent,
  valuesOf: (item: LintedItem) => readonly (readonly [field: string, value: string])[],
): Generator<Problem> {
  for (const items of languages) {
    const first = new Map<string, LintedItem>();
    for (const item of items.values()) {
      for (const [field, value] of valuesOf(item)) {
        if (value === '') continue;
        const key = JSON.stringify([item.model, field, value]);
        const other = first.get(key);
        if (!other) first.set(key, item);
        else yield { item, field, message: `${quote(value)} is also that of ${other.model} ${other.id}` };
      }
    }
  }
}

function countByModel(items: Iterable<LintedItem>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { model } of items) counts.set(model, (counts.get(model) ?? 0) + 1);
  return counts;
}
