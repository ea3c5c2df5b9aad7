import type { FieldProblem, StudioField } from '../../../studio-types.ts';
import { instantProblem } from './instants.ts';
import { fieldsOfSet, getOwn, isBlock, isRecord, UnparsedJson, type Values } from './values.ts';

/** What cannot even be sent: incomplete times and invalid JSON, at any depth. */
export function findLocalProblems(fields: readonly StudioField[], values: Values): FieldProblem[] {
  return problemsOfGroup(fields, values, '');
}

function problemsOfGroup(fields: readonly StudioField[], group: unknown, path: string): FieldProblem[] {
  if (!isRecord(group)) return [];
  return fields.flatMap((field) => {
    const below = path ? `${path}.${field.luid}` : field.luid;
    return problemsOf(field, getOwn(group, field.luid), below);
  });
}

function problemsOf(field: StudioField, value: unknown, path: string): FieldProblem[] {
  if (value instanceof UnparsedJson) return [{ path, message: value.problem }];
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  switch (field.control) {
    case 'datetime': {
      const message = instantProblem(value);
      return message ? [{ path, message }] : [];
    }
    case 'group':
      return problemsOfGroup(field.fields ?? [], value, path);
    case 'list':
      return entries.flatMap((entry, index) =>
        problemsOfGroup(field.fields ?? [], entry, `${path}[${index}]`),
      );
    case 'blocks':
      return entries.flatMap((block, index) => {
        const fields = isBlock(block) && fieldsOfSet(field, block.luid);
        return fields ? problemsOfGroup(fields, block.fields, `${path}[${index}].fields`) : [];
      });
    default:
      return [];
  }
}
