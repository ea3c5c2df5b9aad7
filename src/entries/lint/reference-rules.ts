import { childGroups } from '../../models/child-groups.ts';
import type { FieldsBase } from '../../models/field-types/field-type.ts';
import { isReference } from '../../models/field-types/index.ts';
import { targetsOf } from '../../models/field-types/reference.ts';
import type { LintedItem } from './linted-item.ts';
import { allItems, type Problem, type Rule } from './rule.ts';

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
    *find({ languages: [main = new Map()] }) {
      const paths = new Map<string, Set<number>>();
      for (const item of main.values()) {
        for (const { path, to } of item.references) {
          if (to === item.id) yield { item, field: path, message: 'refers to itself' };
          // Items in lists, such as related ones, may well refer to each other.
          if (to === item.id || path.includes('[')) continue;
          const visited = paths.get(`${item.model} ${path}`) ?? new Set();
          paths.set(`${item.model} ${path}`, visited);
          yield* cycleFrom(item, path, main, visited);
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
      const { models, site } = content;
      const targets = new Set(Object.values(models).flatMap((fields) => [...targetModels(fields)]));
      for (const { model } of [...site.routes, ...site.likelyRoutes]) targets.delete(model);
      const used = new Set<number>();
      for (const { id, references } of allItems(content)) {
        for (const { to } of references) if (to !== id) used.add(to);
      }
      const main = content.languages[0] ?? new Map<number, LintedItem>();
      const usedModels = new Set([...used].flatMap((id) => main.get(id)?.model ?? []));
      for (const item of main.values()) {
        if (!targets.has(item.model) || !usedModels.has(item.model) || used.has(item.id)) continue;
        yield { item, field: '', message: 'nothing refers to it, and no route shows it' };
      }
    },
  },
];

/** Follows one field through items of one model, each of which is visited once. */
function* cycleFrom(
  start: LintedItem,
  path: string,
  items: ReadonlyMap<number, LintedItem>,
  visited: Set<number>,
): Generator<Problem> {
  const chain: LintedItem[] = [];
  let at: LintedItem | undefined = start;
  while (at && at.model === start.model && !visited.has(at.id)) {
    visited.add(at.id);
    chain.push(at);
    const next: number | undefined = at.references.find((one) => one.path === path)?.to;
    at = next === undefined ? undefined : items.get(next);
  }
  const cycle = at ? chain.slice(chain.findIndex(({ id }) => id === at.id)) : [];
  if (!at || cycle.length < 2 || cycle[0] !== at) return;
  const ids = [...cycle, at].map(({ id }) => id).join(' → ');
  yield { item: at, field: path, message: `leads back to itself: ${ids}` };
}

function* targetModels(fields: FieldsBase): Generator<string> {
  for (const field of Object.values(fields)) {
    if (isReference(field)) yield* targetsOf(field) ?? [];
    for (const [, group] of childGroups(field)) yield* targetModels(group);
  }
}
