import { beforeAll, describe, expect, test } from 'vitest';
import { compareContent } from '../../src/cli/check/compare-content.ts';
import { compareStringTypes } from '../../src/cli/check/compare-string-types.ts';
import { MismatchLog } from '../../src/cli/check/mismatch-log.ts';
import { inferModels } from '../../src/cli/infer/infer.ts';
import { modelCode } from '../../src/cli/init/space-file/generate-space-file.ts';
import { readSpace } from '../../src/cli/init/space-file/read-space.ts';
import { createEmulator, type Seed } from '../../src/emulator/index.ts';
import { compileFilter } from '../../src/entries/query/filter.ts';
import { compileOrder } from '../../src/entries/query/order.ts';
import { defineSpace, field } from '../../src/index.ts';
import type { ModelMap } from '../../src/models/types.ts';
import { request } from '../emulator/small-seed.ts';
import { itemsWithoutLanguage } from '../entries/test-language-items.ts';
import { wire } from './content.ts';
import { addDurationType, durationField } from './duration-field.ts';

const models = { film: { title: field.text(), length: durationField } } as ModelMap;
const short = wire('film', { title: 'Short', length: 'PT90M' }, 1);
const long = wire('film', { title: 'Long', length: 'PT2H' }, 2);
const unknown = wire('film', { title: 'Unknown', length: null }, 3);
const items = [unknown, long, short];

beforeAll(addDurationType);

describe('a field type that is added in one file', () => {
  test('is validated by the schema of its model', () => {
    const schema = defineSpace({ models }).schema('film');
    expect(schema.parse(short)).toMatchObject({ length: 'PT90M' });
    expect(schema.parse(wire('film', { length: '' }))).toMatchObject({ length: null });
    expect(schema.safeParse(wire('film', { length: '2 hours' })).error?.issues[0]?.message).toContain(
      'expected a duration, found "2 hours"',
    );
  });

  test('is filtered and sorted', () => {
    const filter = compileFilter(models, 'film', { length: { in: ['PT90M', 'PT1M'] } });
    expect(items.filter((item) => filter(item, itemsWithoutLanguage()))).toEqual([short]);
    expect(() => compileFilter(models, 'film', { length: { contains: 'PT' } })).toThrow('allows eq, in');
    const { keysOf, compare } = compileOrder(models, 'film', 'length');
    expect(items.toSorted((a, b) => compare(keysOf(a), keysOf(b)))).toEqual([short, long, unknown]);
  });

  test('can name entries', () => {
    expect(() => defineSpace({ models }).loader('film', { id: 'length' as never })).not.toThrow();
  });

  test('is stored, returned, filtered and sorted by the emulator', async () => {
    const seed: Seed = {
      keys: [{ key: 'pub', reads: 'published' }],
      models,
      contents: items.map(({ _id, title, length }) => ({
        id: _id,
        model: 'film',
        created_at: '2026-01-01T00:00:00Z',
        published: { ja: { title, length } },
      })),
    };
    const emulator = createEmulator(seed);
    const idsOf = async (query: string) => {
      const { body } = await request(emulator, `/contents?model=film&${query}`);
      return body.data.map(({ _id }: { _id: number }) => _id);
    };
    expect((await request(emulator, '/contents/1')).body).toMatchObject({ length: 'PT90M' });
    expect(await idsOf('order=length')).toEqual([1, 2, 3]);
    expect(await idsOf('length[eq]=PT2H')).toEqual([2]);
    expect(() =>
      createEmulator({
        ...seed,
        contents: [
          { id: 1, model: 'film', created_at: '2026-01-01T00:00:00Z', draft: { ja: { length: 5 } } },
        ],
      }),
    ).toThrow('must be a duration');
  });

  test('is inferred from content, written to the space file and read from it', () => {
    const inferred = inferModels({ items, targets: new Map() });
    expect(inferred.models).toMatchObject({ film: { length: durationField } });
    const code = modelCode(inferred, { name: 'film', total: 3, inspected: 3 });
    expect(code).toContain('length: field.duration(), // 2 of 3');
    const file = `import { defineSpace, field } from 'astro-luid';
      export const space = defineSpace({ models: { ${code} } });`;
    expect(readSpace(file).models.members.get('film')?.members.get('length')?.type).toBe('duration');
  });

  test('is compared with content by `luid check`', () => {
    const content = new MismatchLog();
    const comparison = compareContent(content, models, new Map());
    for (const item of [...items, wire('film', { title: 'Odd', length: 'long' }, 4)]) comparison.add(item);
    comparison.end();
    expect(content.all).toMatchObject([{ field: 'length', problem: 'type', ids: [4] }]);

    const declared: ModelMap = { film: { title: field.text(), length: field.text() } };
    const types = new MismatchLog();
    compareStringTypes(types, declared, inferModels({ items, targets: new Map() }));
    expect(types.all).toMatchObject([
      { field: 'length', message: 'declared as text, but the content is duration' },
    ]);
  });
});
