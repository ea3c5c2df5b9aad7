import { describe, expect, test } from 'vitest';
import {
  LuidConfigError,
  LuidContentError,
  LuidError,
  LuidRequestError,
  LuidResponseError,
} from '../../src/index.ts';
import { withHint } from '../../src/shared/errors.ts';

const CLASSES = { LuidError, LuidConfigError, LuidRequestError, LuidResponseError, LuidContentError };

describe.each(Object.entries(CLASSES))('%s', (name, ErrorClass) => {
  const error = new ErrorClass('It broke', {
    status: 401,
    code: 'Unauthorized',
    hint: 'Mend it.',
    model: 'item',
    id: 1,
  });

  test('has a message with a hint, and its details', () => {
    expect(error.message).toBe('It broke\n  → Mend it');
    expect(error).toMatchObject({
      name,
      status: 401,
      code: 'Unauthorized',
      hint: 'Mend it.',
      model: 'item',
      id: 1,
    });
    expect(error).toBeInstanceOf(Error);
  });

  test('ends without a period, since Astro adds one', () => {
    expect(new ErrorClass('It broke.').message).toBe('It broke');
    expect(new ErrorClass('It broke', { hint: 'Wait…' }).message).toBe('It broke\n  → Wait…');
  });

  test('takes one more hint, and keeps its class and details', () => {
    const more = withHint(error, 'Or wait.');
    expect(more.message).toBe('It broke\n  → Mend it.\n  → Or wait');
    expect(more).toMatchObject({ name, status: 401, code: 'Unauthorized', model: 'item', id: 1 });
    expect(withHint(new ErrorClass('It broke'), 'Wait.').message).toBe('It broke\n  → Wait');
  });

  test('is recognised by its name, so also from another copy of the package', () => {
    const foreign = Object.assign(new Error('It broke'), { name });
    expect(ErrorClass.is(foreign)).toBe(true);
    expect(LuidError.is(foreign)).toBe(true);
  });

  test('is not recognised as another class', () => {
    expect(ErrorClass.is(new Error('It broke'))).toBe(false);
    expect(ErrorClass.is({ name })).toBe(false);
    for (const Other of Object.values(CLASSES)) {
      if (Other !== ErrorClass && Other !== LuidError) expect(Other.is(error)).toBe(false);
    }
  });

  test('keeps its cause', () => {
    const cause = new Error('deeper');
    expect(new ErrorClass('It broke', { cause }).cause).toBe(cause);
    expect('cause' in new ErrorClass('It broke')).toBe(false);
  });
});
