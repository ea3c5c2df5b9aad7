import type { FieldProblem } from '../../../studio-types.ts';
import { getOwn, isRecord, type Values } from './values.ts';

/** The keys and indexes of a path such as `blocks[2].fields.image`. A LUID can consist of digits only. */
export function parsePath(path: string): (string | number)[] {
  const parts = path.matchAll(/\[(\d+)\]|[^.[\]]+/g);
  return [...parts].map(([luid, index]) => (index === undefined ? luid : Number(index)));
}

export function getAt(values: Values, path: string): unknown {
  let value: unknown = values;
  for (const part of parsePath(path)) {
    if (Array.isArray(value) && typeof part === 'number') value = value[part];
    else if (isRecord(value)) value = getOwn(value, String(part));
    else return undefined;
  }
  return value;
}

/** The path itself and everything that contains it, the innermost first. */
export function withParents(path: string): string[] {
  const paths = [path];
  for (let at = path.length - 1; at > 0; at--) {
    if (path[at] === '.' || path[at] === '[') paths.push(path.slice(0, at));
  }
  return paths;
}

/** The problems that still apply after a change: those of values that are the same object or string as before. */
export function keepProblems(
  problems: readonly FieldProblem[],
  before: Values,
  after: Values,
): readonly FieldProblem[] {
  const kept = problems.filter(({ path }) => Object.is(getAt(before, path), getAt(after, path)));
  return kept.length === problems.length ? problems : kept;
}
