import { BadRequest } from './bad-request.ts';
import { findFields } from './field-path.ts';
import type { Reader, Shown } from './reader.ts';
import { own, type Seed } from './reference-seed.ts';

const ORDERABLE = ['text', 'multiline', 'boolean', 'select', 'datetime'];

export interface Criterion {
  path: string;
  descending: boolean;
}

export function parseOrder(text: string): Criterion[] {
  return text.split(',').map((part) => {
    const descending = part.startsWith('-');
    return { path: descending ? part.slice(1) : part, descending };
  });
}

/** Refuses what none of the models can be ordered by: one value per item that has a natural order. */
export function checkOrder(seed: Seed, models: string[], { path }: Criterion): void {
  const sound = models.some((model) =>
    findFields(seed, model, path).some((fieldPath) => isOrderable(seed, model, path, fieldPath.type)),
  );
  if (!sound) throw new BadRequest();
}

function isOrderable(seed: Seed, model: string, path: string, type: string): boolean {
  if (path === '_id') return true;
  const [head = '', ...rest] = path.split('.');
  const throughFieldSet = own(own(seed.models, model), head)?.type === 'field_set';
  return ORDERABLE.includes(type) && (rest.length === 0 || throughFieldSet);
}

/** §4.1: criterion by criterion; equal ones by id. */
export function inOrder(reader: Reader, items: Shown[], order: Criterion[]): Shown[] {
  return [...items].sort((a, b) => {
    for (const { path, descending } of order) {
      const difference = compare(sortValue(reader, a, path), sortValue(reader, b, path));
      if (difference !== 0) return descending ? -difference : difference;
    }
    return a.content.id - b.content.id;
  });
}

function sortValue(reader: Reader, shown: Shown, path: string): unknown {
  const [value] = findFields(reader.seed, shown.content.model, path).flatMap((fieldPath) =>
    fieldPath.values(reader, shown),
  );
  return value ?? '';
}

/** Empty comes after everything; texts by code unit. Times are all in one form, so they order as texts do. */
function compare(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (a === '') return 1;
  if (b === '') return -1;
  return (a as string) < (b as string) ? -1 : 1;
}
