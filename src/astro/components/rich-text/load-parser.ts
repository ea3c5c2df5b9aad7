import { LuidConfigError } from '../../../shared/errors.ts';

export type HtmlParser = Pick<typeof import('parse5'), 'defaultTreeAdapter' | 'html' | 'parseFragment'>;

/** parse5 is an optional peer: a bundler replaces it with a module without exports if it is not installed. */
export async function loadParser(): Promise<HtmlParser> {
  let cause: unknown;
  const found = await import('parse5').catch((error: unknown) => {
    cause = error;
    return undefined;
  });
  if (typeof found?.parseFragment === 'function') return found;
  throw new LuidConfigError('RichText with `components` needs parse5, which cannot be loaded', {
    hint: 'npm install parse5',
    cause,
  });
}
