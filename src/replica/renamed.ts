import type { WireContent } from '../contract/content.ts';
import { printable } from '../printable.ts';
import type { Source } from './source.ts';

/** The model, in print, that content is of now which was of another, if that is what happened to it. */
export async function isRenamed(source: Source, gone: readonly WireContent[]): Promise<string | undefined> {
  const now = await source.whatIs(gone.slice(0, 100).map(({ _id }) => _id));
  const renamed = now.find((found) => gone.every(({ _model }) => _model !== found._model));
  return renamed && printable(renamed._model, 60);
}
