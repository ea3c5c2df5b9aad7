import { describe, expect, test } from 'vitest';
import { compareStringTypes } from '../../../src/cli/check/compare-string-types.ts';
import { MismatchLog } from '../../../src/cli/check/mismatch-log.ts';
import { inferModels } from '../../../src/cli/infer/infer.ts';
import type { OperatorSupport } from '../../../src/cli/infer/inference-rule.ts';
import type { WireContent } from '../../../src/contract/content.ts';
import { field } from '../../../src/index.ts';
import type { Field } from '../../../src/models/field-types/index.ts';

/** The mismatches of a declared field with these values. */
function compare(declared: Field, values: readonly string[], operators?: OperatorSupport): string[] {
  const items = values.map(
    (f, index) => ({ _id: index + 1, _model: 'm', _title: '', f }) as unknown as WireContent,
  );
  const operatorSupport = new Map(operators && [['m.f', operators]]);
  const inferred = inferModels({ items, targets: new Map(), operatorSupport });
  const log = new MismatchLog();
  compareStringTypes(log, { m: { f: declared } }, inferred);
  return log.all.map(({ message }) => message);
}

const MARKUP = ['<p>a</p>', '<div class="map"></div>', '<p>c</p>', '<ul><li>d</li></ul>'];
const LINES = ['a\nb', 'c\nd', 'e'];

describe('without operators', () => {
  test('markup is accepted in every type of text', () => {
    for (const declared of [field.multiline(), field.text(), field.flexibleText()]) {
      expect(compare(declared, MARKUP)).toEqual([]);
    }
  });

  test('line breaks are accepted in every type but text', () => {
    for (const declared of [field.multiline(), field.flexibleText(), field.select(['a\nb', 'c\nd', 'e'])]) {
      expect(compare(declared, LINES)).toEqual([]);
    }
    expect(compare(field.text(), LINES)).toEqual(['declared as text, but the content is multiline']);
  });
});

test('operators prove a type, whatever the values contain', () => {
  expect(compare(field.multiline(), MARKUP, { contains: true, eq: true })).toEqual([]);
  expect(compare(field.multiline(), MARKUP, { contains: true, eq: false })).toEqual([
    'declared as multiline, but the content is flexible_text',
  ]);
  expect(compare(field.flexibleText(), LINES, { contains: true, eq: true })).toEqual([
    'declared as flexible_text, but the content is multiline',
  ]);
});
