import { expect, test } from 'vitest';
import { errorForAstro } from '../../src/astro/error-for-astro.ts';
import { LuidConfigError } from '../../src/shared/errors.ts';

test.each([{ hint: 'Declare the model.' }, {}])(
  'Astro, which prints the hint of an error, may set one: %o',
  (options) => {
    const error = errorForAstro(new LuidConfigError('no such model', options)) as Error & { hint?: string };
    expect(error.hint).toBeUndefined();
    error.hint = 'of Astro';
    expect(error.hint).toBe('of Astro');
  },
);
