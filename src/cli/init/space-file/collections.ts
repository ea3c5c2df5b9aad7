import { fieldTypeOf, isRichText } from '../../../models/field-types/index.ts';
import type { Inferred } from '../../infer/infer.ts';
import type { Survey } from '../../survey/survey.ts';
import { unlessUnsupported } from '../edit/parse-source.ts';
import { propertyName, quoted } from './code-literals.ts';
import { readSpace, readSpaceName } from './read-space.ts';

/** A proposed collection for a model. */
export interface Collection {
  readonly model: string;
  /** The field whose values become entry ids. */
  readonly id: string | undefined;
  /** The flexible text to render as the body of an entry. */
  readonly body: string | undefined;
  /** All languages of the model, the main one first, if it has several. */
  readonly langs: readonly string[] | undefined;
  readonly backlinks?: readonly Backlink[];
}

/** A list of the content that refers to an entry. */
export interface Backlink {
  readonly name: string;
  readonly from: string;
  readonly by: string;
  readonly limit: number;
}

/** Proposes one collection per model, with options based on its content. */
export function proposeCollections(
  { models }: Inferred,
  { models: surveyed, languages }: Pick<Survey, 'models' | 'languages'>,
): Collection[] {
  return Object.entries(models).map(([model, fields]) => {
    const { slug, langs = [] } = surveyed.find(({ name }) => name === model) ?? {};
    const texts = Object.entries(fields).filter(([, field]) => isRichText(field));
    const [body] = texts.find(([luid]) => luid === 'body') ?? texts[0] ?? [];
    const field = slug !== undefined && Object.hasOwn(fields, slug) ? fields[slug] : undefined;
    const isText = field !== undefined && fieldTypeOf(field).text === 'line';
    return {
      model,
      id: isText ? slug : undefined,
      body,
      langs: languages && langs.length > 0 ? [languages.main, ...langs] : undefined,
    };
  });
}

export interface CollectionNames {
  /** The local names of `defineCollection` and of the space. */
  readonly define: string;
  readonly space: string;
  readonly quote?: "'" | '"' | undefined;
}

/** `article: defineCollection({ loader: space.loader('article', { id: 'slug' }) })`; on several lines with backlinks. */
export function collectionCode(name: string, collection: Collection, names: CollectionNames): string {
  const { model, id, body, langs, backlinks = [] } = collection;
  const literal = (text: string) => quoted(text, names.quote);
  const lists = backlinks.map(
    ({ name: list, from, by, limit }) =>
      `        ${propertyName(list, names.quote)}: { from: ${literal(from)}, by: ${literal(by)}, limit: ${limit} },\n`,
  );
  const options = [
    id !== undefined && `id: ${literal(id)}`,
    body !== undefined && `body: ${literal(body)}`,
    langs && `langs: [${langs.map(literal).join(', ')}]`,
    lists.length > 0 && `backlinks: {\n${lists.join('')}      }`,
  ].filter((option) => typeof option === 'string');
  const key = propertyName(name, names.quote);
  const loader = `${names.space}.loader(${literal(model)}`;
  if (lists.length > 0) {
    const lines = options.map((option) => `      ${option},\n`).join('');
    return `${key}: ${names.define}({\n    loader: ${loader}, {\n${lines}    }),\n  })`;
  }
  const given = options.length > 0 ? `, { ${options.join(', ')} }` : '';
  return `${key}: ${names.define}({ loader: ${loader}${given}) })`;
}

/**
 * The export name of the space, and the proposed collections restricted to the models and fields that the space
 * file declares. No collections if the file cannot be analysed without running it; no name if that is not known either.
 */
export function collectionsOfSpace(
  spaceFile: string,
  proposed: readonly Collection[],
): { name: string | undefined; collections: Collection[] } {
  const space = unlessUnsupported(() => readSpace(spaceFile));
  if (!space) return { name: unlessUnsupported(() => readSpaceName(spaceFile)), collections: [] };
  const { name, models } = space;
  const collections = proposed
    .filter(({ model }) => models.members.has(model) || models.isOpen)
    .map((collection) => {
      const group = models.members.get(collection.model);
      const has = (luid: string | undefined) =>
        luid !== undefined && (!group || group.isOpen || group.members.has(luid));
      const { id, body } = collection;
      return { ...collection, id: has(id) ? id : undefined, body: has(body) ? body : undefined };
    });
  return { name, collections };
}
