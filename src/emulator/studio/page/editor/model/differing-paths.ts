import type { StudioField } from '../../../studio-types.ts';
import { fieldsOfSet, findChanges, getOwn, isBlock, isRecord, type Values } from './values.ts';

/** The paths of the values that differ, at any depth. Entries of lists are compared with those at the same position. */
export function findDifferingPaths(
  fields: readonly StudioField[],
  before: Values,
  after: Values,
): ReadonlySet<string> {
  return new Set(pathsInGroup(fields, before, after, ''));
}

function pathsInGroup(
  fields: readonly StudioField[],
  before: unknown,
  after: unknown,
  path: string,
): string[] {
  const one = isRecord(before) ? before : {};
  const other = isRecord(after) ? after : {};
  return findChanges(fields, one, other).flatMap((field) => {
    const below = path ? `${path}.${field.luid}` : field.luid;
    return [below, ...pathsInside(field, getOwn(one, field.luid), getOwn(other, field.luid), below)];
  });
}

function pathsInside(field: StudioField, before: unknown, after: unknown, path: string): string[] {
  if (field.control === 'group') return pathsInGroup(field.fields ?? [], before, after, path);
  if (!Array.isArray(before) || !Array.isArray(after)) return [];
  const common = after.slice(0, before.length);
  if (field.control === 'list') {
    return common.flatMap((entry, index) =>
      pathsInGroup(field.fields ?? [], before[index], entry, `${path}[${index}]`),
    );
  }
  if (field.control !== 'blocks') return [];
  return common.flatMap((block, index) => {
    const old: unknown = before[index];
    if (!isBlock(block) || !isBlock(old) || block.luid !== old.luid) return [];
    const fields = fieldsOfSet(field, block.luid) ?? [];
    return pathsInGroup(fields, old.fields, block.fields, `${path}[${index}].fields`);
  });
}
