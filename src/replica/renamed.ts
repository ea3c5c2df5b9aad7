import type { WireContent } from '../contract/content.ts';
import type { Source } from './source.ts';

/** The model that content is of now which was of another, if that is what happened to it. */
export async function isRenamed(source: Source, gone: readonly WireContent[]): Promise<string | undefined> {
  const models = await source.modelsOf(gone.slice(0, 100).map(({ _id }) => _id));
  return models.find((model) => gone.every(({ _model }) => _model !== model));
}
