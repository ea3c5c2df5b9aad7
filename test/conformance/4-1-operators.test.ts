import { describe, expect, it } from 'vitest';
import { startServer } from './http.ts';

const { status } = startServer();

const OPERATORS = ['eq', 'in', 'lt', 'lte', 'gt', 'gte', 'contains', 'has'];
const RANGE = ['lt', 'lte', 'gt', 'gte'];
const TIME = '2026-05-01T00:00:00Z';

/** Each of the eight operators on the field of that type: those named answer 200, the others 400. */
async function allowsOnly(field: string, allowed: string[], operand: string, model = 'every'): Promise<void> {
  const responses: Record<string, number> = {};
  const expected: Record<string, number> = {};
  for (const operator of OPERATORS) {
    responses[operator] = await status(`/contents?model=${model}&${field}[${operator}]=${operand}`);
    expected[operator] = allowed.includes(operator) ? 200 : 400;
  }
  expect(responses, field).toEqual(expected);
}

describe('the operators that a field type allows', () => {
  it('§4.1 operators of flexible text: contains', () => allowsOnly('flexible_text', ['contains'], 'one'));

  it('§4.1 operators of single-line text: eq, in, contains', () =>
    allowsOnly('text', ['eq', 'in', 'contains'], 'one'));

  it('§4.1 operators of multi-line text: eq, in, contains', () =>
    allowsOnly('multiline', ['eq', 'in', 'contains'], 'one'));

  it('§4.1 operators of boolean: eq', () => allowsOnly('boolean', ['eq'], 'true'));

  it('§4.1 operators of single select: eq, in', () => allowsOnly('select', ['eq', 'in'], 'one'));

  it('§4.1 operators of multi select: has', () => allowsOnly('multi_select', ['has'], 'one'));

  it('§4.1 operators of datetime: lt, lte, gt, gte', () => allowsOnly('datetime', RANGE, TIME));

  it('§4.1 operators of media: none', () => allowsOnly('media', [], '900'));

  it('§4.1 operators of content reference: eq, in', () => allowsOnly('reference', ['eq', 'in'], '201'));

  it('§4.1 operators of repeat: none', () => allowsOnly('repeat', [], 'one'));

  it('§4.1 operators of combination: none', () => allowsOnly('combination', [], 'one'));

  it('§4.1 operators of field set: none', () => allowsOnly('field_set', [], 'one'));

  it('§4.1 operators of a field of unknown type: none', () => allowsOnly('unknown', [], 'one'));
});

describe('inside groups and references', () => {
  it('§4.1 operators in a field set are those of the inner field', async () => {
    await allowsOnly('seo.line', ['eq', 'in', 'contains'], 'one', 'article');
    await allowsOnly('seo.rich', ['contains'], 'one', 'article');
    await allowsOnly('seo.flag', ['eq'], 'true', 'article');
    await allowsOnly('seo.choices', ['has'], 'x', 'article');
    await allowsOnly('seo.moment', RANGE, TIME, 'article');
    await allowsOnly('seo.person', ['eq', 'in'], '201', 'article');
    await allowsOnly('seo.picture', [], '900', 'article');
  });

  it('§4.1 operators in referenced content are those of its field', async () => {
    await allowsOnly('author.name', ['eq', 'in', 'contains'], 'one', 'article');
    await allowsOnly('author.bio', ['contains'], 'one', 'article');
    await allowsOnly('author.active', ['eq'], 'true', 'article');
    await allowsOnly('author.skills', ['has'], 'ink', 'article');
    await allowsOnly('author.born', RANGE, TIME, 'article');
    await allowsOnly('author.company', ['eq', 'in'], '301', 'article');
    await allowsOnly('author.portrait', [], '900', 'article');
  });

  it('§4.1 operators in a repeat: eq only, where the inner field allows it', async () => {
    await allowsOnly('related.line', ['eq'], 'one', 'article');
    await allowsOnly('related.lines', ['eq'], 'one', 'article');
    await allowsOnly('related.flag', ['eq'], 'true', 'article');
    await allowsOnly('related.choice', ['eq'], 'low', 'article');
    await allowsOnly('related.person', ['eq'], '201', 'article');
    await allowsOnly('related.rich', [], 'one', 'article');
    await allowsOnly('related.choices', [], 'x', 'article');
    await allowsOnly('related.moment', [], TIME, 'article');
    await allowsOnly('related.picture', [], '900', 'article');
  });

  it('§4.1 operators in a combination: none', async () => {
    await allowsOnly('sections.caption', [], 'one', 'article');
    await allowsOnly('sections.hero.caption', [], 'one', 'article');
  });
});

describe('system properties', () => {
  it('§4.1 operators of _id: eq, in', () => allowsOnly('_id', ['eq', 'in'], '101'));

  it('§4.1 operators of _model, _status and _space: eq, in', async () => {
    for (const name of ['_model', '_status', '_space']) await allowsOnly(name, ['eq', 'in'], 'one');
  });

  it('§4.1 operators of _title: eq, in, contains', () =>
    allowsOnly('_title', ['eq', 'in', 'contains'], 'one'));

  it('§4.1 operators of the system times: lt, lte, gt, gte', async () => {
    for (const name of ['_created_at', '_updated_at', '_published_at', '_last_published_at']) {
      await allowsOnly(name, RANGE, TIME);
    }
  });
});
