import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  instantProblem,
  joinInstant,
  splitInstant,
  UNREADABLE,
  zoneOf,
} from '../../../../src/emulator/studio/page/editor/model/instants.ts';

const zoneBefore = process.env.TZ;
beforeAll(() => {
  process.env.TZ = 'Europe/Berlin';
});
afterAll(() => {
  if (zoneBefore === undefined) delete process.env.TZ;
  else process.env.TZ = zoneBefore;
});

describe('a date-time', () => {
  it('is shown in the zone that it is stored in', () => {
    expect(zoneOf('2026-07-01T10:00:00Z')).toBe('UTC');
    expect(zoneOf('2026-07-01T10:00:00+02:00')).toBe('local');
    expect(zoneOf('2026-07-01T10:00:00+09:00')).toBe('+09:00');
    expect(zoneOf(null)).toBe('local');
  });
  it('can be read in every zone', () => {
    const value = '2026-07-01T22:30:00Z';
    expect(splitInstant(value, 'UTC')).toMatchObject({ date: '2026-07-01', time: '22:30:00' });
    expect(splitInstant(value, 'local')).toMatchObject({ date: '2026-07-02', time: '00:30:00' });
    expect(splitInstant(value, '-05:30')).toMatchObject({ date: '2026-07-01', time: '17:00:00' });
    expect(splitInstant('2026-07-01T22:30:00.250Z', 'UTC').time).toBe('22:30:00.250');
  });
  it('is stored with Z or with the offset of its day', () => {
    expect(joinInstant({ date: '2026-07-01', time: '10:00', zone: 'UTC' })).toBe('2026-07-01T10:00:00Z');
    expect(joinInstant({ date: '2026-07-01', time: '10:00', zone: 'local' })).toBe(
      '2026-07-01T10:00:00+02:00',
    );
    expect(joinInstant({ date: '2026-01-01', time: '10:00', zone: 'local' })).toBe(
      '2026-01-01T10:00:00+01:00',
    );
    expect(joinInstant({ date: '', time: '', zone: 'local' })).toBeNull();
  });
  it('keeps what was entered when it is incomplete, and says what is missing', () => {
    const noDate = joinInstant({ date: '', time: '10:00', zone: 'UTC' });
    expect(splitInstant(noDate, 'UTC')).toMatchObject({ date: '', time: '10:00:00' });
    expect(instantProblem(noDate)).toBe('Enter a complete date.');
    const noTime = joinInstant({ date: '2026-07-01', time: UNREADABLE, zone: 'local' });
    expect(splitInstant(noTime, 'local')).toMatchObject({ date: '2026-07-01', time: UNREADABLE });
    expect(instantProblem(noTime)).toBe('Enter a complete time.');
    expect(instantProblem('tomorrow')).toBe('This date and time does not exist.');
    expect(instantProblem('2026-07-01T10:00:00Z')).toBeUndefined();
  });
});
