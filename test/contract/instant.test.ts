import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseInstant } from '../../src/contract/instant.ts';

describe('§4.1 times', () => {
  test.each([
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T09:00:00+09:00', '2026-01-01T00:00:00.000Z'],
    ['2025-12-31T19:30:00-04:30', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T23:59:00+23:59', '2026-01-01T00:00:00.000Z'],
    ['0000-01-01T01:00:00+01:00', '0000-01-01T00:00:00.000Z'],
    ['9999-12-31T22:59:59.999-01:00', '9999-12-31T23:59:59.999Z'],
    ['2026-01-01T00:00Z', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00.123456Z', '2026-01-01T00:00:00.123Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['0050-01-01T00:00:00Z', '0050-01-01T00:00:00.000Z'],
  ])('%s is an instant', (text, iso) => {
    expect(new Date(parseInstant(text) ?? Number.NaN).toISOString()).toBe(iso);
  });

  test.each([
    '',
    '2026-01-01',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01 00:00:00Z',
    '2026-01-01T00:00:00',
    '2026-01-01T00:00:00+0900',
    '2026-01-01T00:00:00+09',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+09:60',
    '9999-12-31T23:59:59-01:00',
    '0000-01-01T00:00:00+01:00',
    ' 2026-01-01T00:00:00Z',
    'now',
  ])('%j is not an instant', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  test('without an offset are UTC with `assumeUtc`', () => {
    expect(parseInstant('2026-01-01T00:00:00', { assumeUtc: true })).toBe(Date.UTC(2026, 0, 1));
  });

  test('may have an offset without a colon with `assumeUtc`', () => {
    const parse = (text: string) => parseInstant(text, { assumeUtc: true });
    expect(parse('2025-12-31T19:30:00-0430')).toBe(Date.UTC(2026, 0, 1));
    expect(parse('2026-01-01T00:00:00+9999')).toBeUndefined();
  });

  test('every Date can be formatted and parsed again', () => {
    const dates = fc.date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(dates, (date) => {
        expect(parseInstant(date.toISOString())).toBe(date.getTime());
      }),
    );
  });
});
