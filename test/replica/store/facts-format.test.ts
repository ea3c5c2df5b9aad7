import { afterEach, describe, expect, test, vi } from 'vitest';
import { decodeFacts, encodeFacts, linksAt } from '../../../src/replica/store/segments/facts-format.ts';
import { factsOf } from '../item-facts.ts';
import { at, content } from '../wire-items.ts';

const items = [1, 2, 3].map((id) => content(id, { _created_at: at(id), _updated_at: at(10 * id) }));
const facts = factsOf(items, { 1: [7, 8], 3: [9] });

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('the links of an item are found by its position: of the first, of one without any, and of the last', () => {
  expect([0, 1, 2].map((index) => [...linksAt(facts, index)])).toEqual([[7, 8], [], [9]]);
});

describe('encoded facts', () => {
  const other = factsOf([content(4)], { 4: [7, 2 ** 53 - 1] });
  const text = encodeFacts([facts, other]);
  const numbersOf = (encoded: string) =>
    new Float64Array(new Uint8Array(Buffer.from(encoded, 'base64')).buffer);
  const textOf = (numbers: Float64Array) => Buffer.from(numbers.buffer).toString('base64');

  test('are decoded as they were', () => {
    expect(decodeFacts(text, [3, 1])).toEqual([facts, other]);
  });

  test('can be read on a server without `Buffer`', () => {
    vi.stubGlobal('Buffer', undefined);
    expect(decodeFacts(text, [3, 1])).toEqual([facts, other]);
  });

  test('can be read wherever in memory their bytes begin', () => {
    const from = Buffer.from.bind(Buffer) as (value: string, encoding: BufferEncoding) => Buffer;
    vi.spyOn(Buffer, 'from').mockImplementation(((value: string, encoding: BufferEncoding) => {
      const bytes = from(value, encoding);
      const moved = Buffer.alloc(bytes.length + 1).subarray(1);
      moved.set(bytes);
      return moved;
    }) as typeof Buffer.from);
    expect(decodeFacts(text, [3, 1])).toEqual([facts, other]);
  });

  test('of no segment are decoded too', () => {
    expect(decodeFacts(encodeFacts([]), [])).toEqual([]);
  });

  test('are not of segments with other counts', () => {
    expect(decodeFacts(text, [3, 2])).toBeUndefined();
    expect(decodeFacts(text, [1, 3])).toBeUndefined();
    expect(decodeFacts(text, [4])).toBeUndefined();
  });

  test('are not of segments with other counts, even if the number of numbers fits', () => {
    // Read as facts about one and three items, the second hash would be a number of links.
    const unlucky = encodeFacts([{ ...facts, hashes: Float64Array.of(0, 2, 0) }, other]);
    expect(decodeFacts(unlucky, [3, 1])).toBeDefined();
    expect(decodeFacts(unlucky, [1, 3])).toBeUndefined();
  });

  test('are not of more or fewer segments', () => {
    expect(decodeFacts(text, [3])).toBeUndefined();
    expect(decodeFacts(text, [3, 1, 1])).toBeUndefined();
    expect(decodeFacts(text, [])).toBeUndefined();
  });

  test('are rejected if the end is missing, wherever the text was cut', () => {
    const numbers = numbersOf(text);
    for (let length = 0; length < numbers.length; length++)
      expect(decodeFacts(textOf(numbers.slice(0, length)), [3, 1]), `${length} numbers`).toBeUndefined();
    expect(decodeFacts(text.slice(0, -4), [3, 1])).toBeUndefined();
    expect(decodeFacts('', [3, 1])).toBeUndefined();
  });

  test('are rejected if numbers or bytes follow', () => {
    const numbers = numbersOf(text);
    const bytes = Buffer.from(text, 'base64');
    expect(decodeFacts(textOf(Float64Array.from([...numbers, 0])), [3, 1])).toBeUndefined();
    expect(decodeFacts(Buffer.concat([bytes, Buffer.of(0)]).toString('base64'), [3, 1])).toBeUndefined();
  });

  test('are rejected if they were written in another byte order', () => {
    const swap = (encoded: string) => Buffer.from(encoded, 'base64').swap64().toString('base64');
    expect(decodeFacts(swap(text), [3, 1])).toBeUndefined();
    expect(decodeFacts(swap(encodeFacts([])), [])).toBeUndefined();
  });
});
