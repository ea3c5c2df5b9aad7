import { limitList, pluralize } from '../../shared/format-count.ts';
import { describeModel } from './describe-item.ts';
import type { InvalidItem } from './invalid-item.ts';

const MAX_LINES = 10;

/** `2 events are skipped because article 307 is`: the entries that match their model themselves. */
export function skippedBecause(invalid: readonly InvalidItem[]): string[] {
  const counts = new Map<string, { readonly model: string; readonly cause: string; count: number }>();
  for (const one of invalid) {
    if (one.issues.length > 0) continue;
    const [model, cause] = [describeModel(one.data._model), causeOf(one)];
    const group = counts.get(`${model} ${cause}`) ?? { model, cause, count: 0 };
    group.count += 1;
    counts.set(`${model} ${cause}`, group);
  }
  const lines = [...counts.values()].map(({ model, cause, count }) => {
    const subject = pluralize(count, model, pluralOf(model));
    return `${subject} ${count === 1 ? 'is' : 'are'} skipped because ${cause} is`;
  });
  return limitList(lines, MAX_LINES);
}

/** One item is enough: what is skipped because of several is named with the next of them when the first is corrected. */
function causeOf({ data, because: [first] }: InvalidItem): string {
  return first ? causeOf(first) : `${describeModel(data._model)} ${data._id}`;
}

function pluralOf(model: string): string {
  return /[^aeiou]y$/.test(model) ? `${model.slice(0, -1)}ies` : `${model}s`;
}
