import type { LintedItem } from './linted-item.ts';
import { allItems, type LintedLanguage, type Rule } from './rule.ts';

export const REFERENCE_RULES: readonly Rule[] = [
  {
    name: 'dangling-reference',
    severity: 'error',
    about: 'references to content that is gone, hidden, or of a model that the field does not declare',
    fix: 'Choose other content, or clear the field.',
    *find(content) {
      const models = new Map([...allItems(content)].map(({ id, model }) => [id, model]));
      for (const item of allItems(content)) {
        for (const { path, to, targets } of item.references) {
          const model = models.get(to);
          // A field that accepts any model may refer to one that is not declared.
          if (targets === undefined || (model !== undefined && targets.includes(model))) continue;
          const what = model === undefined ? 'is gone or hidden' : `is of the model ${model}`;
          yield { item, field: path, message: `refers to content ${to}, which ${what}` };
        }
      }
    },
  },
  {
    name: 'circular-reference',
    severity: 'warning',
    about: 'items that refer to themselves, directly or through one field such as `parent`',
    fix: 'Choose another item: such a chain never ends.',
    *find({ main: { items } }) {
      for (const item of items.values()) {
        for (const { path } of item.references) {
          const cycle = cycleFrom(item, path, items);
          // Items in lists, such as related ones, may well refer to each other.
          if (cycle.length === 0 || (cycle.length > 1 && path.includes('['))) continue;
          const message = `leads back to itself: ${[...cycle, item.id].join(' → ')}`;
          yield { item, field: path, message };
        }
      }
    },
  },
  {
    name: 'unused-item',
    severity: 'warning',
    about: 'items that nothing refers to and no route shows, of models that others are used of by reference',
    fix: 'Refer to it, or archive it.',
    *find(content) {
      const { items } = content.main;
      const used = new Set<number>();
      const models = new Set<string | undefined>();
      for (const { id, references } of allItems(content)) {
        for (const { to, targets } of references.filter((reference) => reference.to !== id)) {
          used.add(to);
          // A field that accepts any model does not show what a model is for.
          if (targets) models.add(items.get(to)?.model);
        }
      }
      for (const { model } of [...content.site.routes, ...content.site.likelyRoutes]) models.delete(model);
      for (const item of items.values()) {
        if (used.has(item.id) || !models.has(item.model)) continue;
        yield { item, field: '', message: 'nothing refers to it, and no route shows it' };
      }
    },
  },
];

const MAX_CYCLE = 100;

/** The ids that a field leads through, from the item back to it, if its id is the first of them; empty if it does not. */
function cycleFrom(start: LintedItem, path: string, items: LintedLanguage['items']): number[] {
  const ids: number[] = [];
  let at: LintedItem | undefined = start;
  while (at && at.model === start.model && at.id >= start.id && ids.length < MAX_CYCLE) {
    ids.push(at.id);
    const next: number | undefined = at.references.find((one) => one.path === path)?.to;
    if (next === start.id) return ids;
    at = next === undefined ? undefined : items.get(next);
  }
  return [];
}
