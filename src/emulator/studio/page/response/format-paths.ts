import type { StudioField } from '../../studio-types.ts';

/** The paths of all flexible texts of a model, for `{path}[format]`. */
export function formatPaths(fields: readonly StudioField[], prefix = ''): string[] {
  return fields.flatMap((field) => {
    const path = prefix + field.luid;
    if (field.control === 'rich-text') return [path];
    const sets = field.sets ?? [];
    return [
      ...formatPaths(field.fields ?? [], `${path}.`),
      ...sets.flatMap((set) => formatPaths(set.fields, `${path}.${set.luid}.`)),
    ];
  });
}
