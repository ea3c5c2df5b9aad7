import type { CacheHint } from 'astro';
import { LuidError } from '../../../shared/errors.ts';
import { printable } from '../../../shared/printable.ts';

/**
 * What Astro makes of an entry that does not exist, but with a cache hint: a page that shows that can be cached until the
 * entry is published. `LiveEntryNotFoundError.is` of Astro compares names.
 */
export class EntryNotFoundError extends LuidError {
  override readonly name = 'LiveEntryNotFoundError';
  readonly collection: string;
  readonly cacheHint: CacheHint;

  constructor(collection: string, filter: object, cacheHint: CacheHint) {
    const shown = printable('id' in filter ? String(filter.id) : JSON.stringify(filter), 200);
    super(`Entry ${collection} → ${shown} was not found`);
    this.collection = collection;
    this.cacheHint = cacheHint;
  }
}
