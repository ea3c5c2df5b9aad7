import { describe, expect, test } from 'vitest';
import { defineSpace, field } from '../../src/index.ts';
import { contentOf, createLoaderContext } from './loader-context.ts';
import { connectionTo, serveItems } from './stub-service.ts';

describe('10,000 items that refer to each other, at depth 10', () => {
  const models = { thing: { next: field.reference('thing') } };
  const count = 10_000;
  const shapes: [string, (id: number) => number][] = [
    ['in a circle', (id) => (id % count) + 1],
    ['in a chain', (id) => id + 1],
    ['all to one, which refers to itself', () => 1],
  ];
  test.each(shapes)('%s', async (_shape, next) => {
    const items = Array.from({ length: count }, (_, index) =>
      contentOf(index + 1, 'thing', { next: next(index + 1) }),
    );
    const { context, entries, stored } = createLoaderContext();
    await defineSpace({ ...connectionTo(serveItems(items)), models })
      .loader('thing', { depth: 10 })
      .load(context);
    expect(entries()).toHaveLength(count);
    let depth = 0;
    for (let at: unknown = entries()[5]?.data; typeof at === 'object' && at; depth++) {
      at = (at as { next: unknown }).next;
    }
    expect(depth).toBe(11);
    // Content that is embedded many times is stored once.
    expect(stored().length).toBeLessThan(100_000_000);
  });
});
