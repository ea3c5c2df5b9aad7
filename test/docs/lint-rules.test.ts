import { expect, test } from 'vitest';
import { RULES } from '../../src/entries/lint/lint.ts';
import { sectionOf, tablesIn } from './documents.ts';

test('the rules in the guide are those of the code, with what they find and their severity', () => {
  const [table = []] = tablesIn(sectionOf('docs/guides/linting.md', 'Rules'));
  expect(table).toEqual(RULES.map(({ name, about, severity }) => [`\`${name}\``, about, severity]));
});
