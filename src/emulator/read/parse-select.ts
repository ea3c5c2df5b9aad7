import type { Selection } from '../fields/field-behaviour.ts';

type Branches = Map<string, Branches | 'all'>;

/** §4.1: `select`. `a,a.b` selects all of `a`. */
export function parseSelect(select: string | undefined): Selection | undefined {
  const paths = splitNames(select);
  if (paths.length === 0) return undefined;
  const root: Branches = new Map();
  for (const path of paths) {
    const segments = path.split('.');
    const last = segments.pop() as string;
    let node: Branches | 'all' = root;
    for (const segment of segments) {
      if (node === 'all') break;
      const next: Branches | 'all' = node.get(segment) ?? new Map();
      node.set(segment, next);
      node = next;
    }
    if (node !== 'all') node.set(last, 'all');
  }
  return root;
}

/** Splits a comma-separated list of names. */
export function splitNames(list: string | undefined): string[] {
  return (list ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
