import type { WireContent } from '../contract/content.ts';
import { LuidContentError } from '../errors.ts';

/** One thing that is wrong with one item: zod's own issue fits. */
export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

export interface InvalidItem {
  readonly item: WireContent;
  readonly issues: readonly Issue[];
}

/** One error for all items that do not fit their model, each with every field that is wrong. */
export function invalidContent(invalid: readonly InvalidItem[]): LuidContentError {
  const [first] = invalid;
  const lines = invalid.flatMap(({ item, issues }) => [
    `${item._model} ${item._id} "${item._title}"`,
    ...issues.map(({ path, message }) => `  ${fieldPath(path)}: ${message}`),
  ]);
  const count = invalid.length === 1 ? '1 entry does' : `${invalid.length} entries do`;
  return new LuidContentError(`${count} not fit the declared models:\n  ${lines.join('\n  ')}`, {
    model: first?.item._model,
    id: first?.item._id,
    field: first?.issues[0] && fieldPath(first.issues[0].path),
  });
}

/** `sections[2].fields.image` */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');
}
