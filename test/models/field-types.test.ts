import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CLI_FIELD_TYPES } from '../../src/cli/field-types/index.ts';
import { BEHAVIOURS } from '../../src/emulator/fields/index.ts';
import { field } from '../../src/index.ts';
import { childGroups } from '../../src/models/child-groups.ts';
import type { FieldType } from '../../src/models/field-types/field-type.ts';
import { FIELD_TYPES } from '../../src/models/field-types/index.ts';
import { REFERENCE_TYPES } from '../../src/models/field-types/reference-types.ts';
import { RICH_TEXT_TYPES } from '../../src/models/field-types/rich-text-types.ts';
import type { FieldTypesWith } from '../../src/models/types.ts';

const TYPES: [string, FieldType][] = Object.entries(FIELD_TYPES as object);

function typesThat(fits: (type: FieldType) => unknown): string[] {
  return TYPES.flatMap(([name, type]) => (fits(type) ? [name] : [])).sort();
}

const SRC = join(import.meta.dirname, '../../src');
const DECLARATIONS = ['models/field-types/', 'emulator/fields/', 'cli/field-types/'];
/** Files with other types: nodes of syntax trees, options of commands, and form controls, which decide in the studio. */
const OTHER_TYPES = ['entries/sanitize/sanitize-html.ts', 'cli/shared/command.ts', 'emulator/studio/page/'];

test('no code but the declarations compares the type of a field', () => {
  const names = Object.keys(FIELD_TYPES).join('|');
  const comparison = new RegExp(`\\btype\\b[)?\\s]*[!=]==?\\s*'(${names})'|case '(${names})':`);
  const files = globSync('**/*.{ts,astro}', { cwd: SRC })
    .filter((file) => ![...DECLARATIONS, ...OTHER_TYPES].some((path) => file.startsWith(path)))
    .filter((file) => comparison.test(readFileSync(join(SRC, file), 'utf8')));
  expect(files).toEqual([]);
});

test('every side declares every field type', () => {
  const names = Object.keys(FIELD_TYPES).sort();
  expect(Object.keys(BEHAVIOURS).sort()).toEqual(names);
  expect(Object.keys(CLI_FIELD_TYPES).sort()).toEqual(names);
  const builders = Object.values(CLI_FIELD_TYPES).map(({ builder }) => builder);
  expect(builders.sort()).toEqual(Object.keys(field).sort());
});

test('each field type has a form control', () => {
  expect(
    Object.fromEntries(Object.entries(BEHAVIOURS).map(([name, { control }]) => [name, control])),
  ).toEqual({
    text: 'text',
    multiline: 'textarea',
    flexible_text: 'rich-text',
    boolean: 'checkbox',
    select: 'select',
    multi_select: 'multi-select',
    datetime: 'datetime',
    media: 'media',
    reference: 'content',
    field_set: 'group',
    repeat: 'list',
    combination: 'blocks',
    unknown: 'json',
  });
});

test('the static types agree on what is sortable and what can be an entry id', () => {
  const sortable = {
    text: true,
    multiline: true,
    boolean: true,
    select: true,
    datetime: true,
  } satisfies Record<FieldTypesWith<'sortable'>, true>;
  const usableAsId = {
    text: true,
    multiline: true,
    select: true,
    datetime: true,
    reference: true,
    unknown: true,
  } satisfies Record<FieldTypesWith<'usableAsId'>, true>;
  expect(typesThat(({ orderKey }) => orderKey)).toEqual(Object.keys(sortable).sort());
  expect(typesThat((type) => type.usableAsId)).toEqual(Object.keys(usableAsId).sort());
});

test('the client knows the types of references and of rich texts', () => {
  expect(typesThat(({ link }) => link === 'reference')).toEqual(REFERENCE_TYPES);
  expect(typesThat(({ text }) => text === 'rich')).toEqual(RICH_TEXT_TYPES);
});

test('groups of fields are found in a definition by its keys', () => {
  const a = { text: field.text() };
  expect(childGroups(field.text())).toEqual([]);
  expect(childGroups(field.repeat(a))).toEqual([[undefined, a]]);
  expect(childGroups(field.fieldSet(a))).toEqual([[undefined, a]]);
  expect(childGroups(field.combination({ a, b: a }))).toEqual([
    ['a', a],
    ['b', a],
  ]);
});
