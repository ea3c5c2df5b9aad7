import { expect, test } from 'vitest';
import { fillTemplate } from '../../../src/emulator/webhooks/fill-template.ts';

const VALUES = { event: 'publish', id: 7 };

test('values are filled in everywhere in the JSON, and numbers stay numbers', () => {
  const template = { id: '{{id}}', list: ['{{event}} of {{id}}', 1, null, true], nested: { id: '#{{id}}' } };
  expect(fillTemplate(template, VALUES)).toEqual({
    id: 7,
    list: ['publish of 7', 1, null, true],
    nested: { id: '#7' },
  });
});

test('unknown names and keys of objects stay as they are', () => {
  expect(fillTemplate({ '{{id}}': '{{other}} {{constructor}}' }, VALUES)).toEqual({
    '{{id}}': '{{other}} {{constructor}}',
  });
});
