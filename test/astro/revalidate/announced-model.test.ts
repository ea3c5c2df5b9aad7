import { expect, test } from 'vitest';
import { announcedModel } from '../../../src/astro/revalidate/announced-model.ts';

test.each([
  ['{"model":"article","id":1}', 'article'],
  ['{"event":"publish","content":{"_id":1,"_model":"article"}}', 'article'],
  ['{"data":{"content":{"model_luid":"article"}}}', 'article'],
])('the model of %s is %s', (body, model) => {
  expect(announcedModel(body)).toBe(model);
});

test.each([
  '',
  'model=article',
  'null',
  '[{"model":"article"}]',
  '{"model":7}',
  '{"model":""}',
  '{"a":{"b":{"c":{"model":"too deep"}}}}',
])('%j names no model', (body) => {
  expect(announcedModel(body)).toBeUndefined();
});
