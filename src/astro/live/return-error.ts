import { LuidError } from '../../shared/errors.ts';

/** Astro's live loaders return their errors. */
export async function returnError<T>(load: () => Promise<T>): Promise<T | { error: LuidError }> {
  try {
    return await load();
  } catch (cause) {
    if (LuidError.is(cause)) return { error: cause };
    return { error: new LuidError(`The live loader failed: ${String(cause)}`, { cause }) };
  }
}
