import { fieldTypeOf, isRichText } from '../../models/field-types/index.ts';
import type { Inferred } from '../infer/infer.ts';
import type { Survey } from '../survey/survey.ts';
import { propertyName, quoted } from './code.ts';
import { UnusualSyntax } from './source/parse.ts';
import { readSpace } from './source/space.ts';

/** A collection that is proposed for a model. */
export interface Collection {
  readonly model: string;
  /** The field whose values become entry ids. */
  readonly id: string | undefined;
  /** The flexible text that an entry's page is made of. */
  readonly body: string | undefined;
  /** All languages of the model, the main one first, where it has several. */
  readonly langs: readonly string[] | undefined;
}

/** One collection per model, with the options that its content suggests. */
export function planCollections(
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

/** `article: defineCollection({ loader: space.loader('article', { id: 'slug' }) })` */
export function collectionCode(name: string, collection: Collection, names: CollectionNames): string {
  const { model, id, body, langs } = collection;
  const literal = (text: string) => quoted(text, names.quote);
  const options = [
    id !== undefined && `id: ${literal(id)}`,
    body !== undefined && `body: ${literal(body)}`,
    langs && `langs: [${langs.map(literal).join(', ')}]`,
  ].filter((option) => typeof option === 'string');
  const given = options.length > 0 ? `, { ${options.join(', ')} }` : '';
  const loader = `${names.space}.loader(${literal(model)}${given})`;
  return `${propertyName(name, names.quote)}: ${names.define}({ loader: ${loader} })`;
}

/**
 * The name that a space file exports the space by, and the collections that fit what it declares, which may
 * be less than was found. None of a file that cannot be read without running it.
 */
export function allowedBy(
  spaceFile: string,
  proposed: readonly Collection[],
): { name: string; collections: Collection[] } {
  try {
    const { name, models } = readSpace(spaceFile);
    const collections = proposed
      .filter(({ model }) => models.groups.has(model) || models.isOpen)
      .map((collection) => {
        const group = models.groups.get(collection.model);
        const has = (luid: string | undefined) =>
          luid !== undefined && (!group || group.isOpen || group.fields.has(luid));
        const { id, body } = collection;
        return { ...collection, id: has(id) ? id : undefined, body: has(body) ? body : undefined };
      });
    return { name, collections };
  } catch (error) {
    if (error instanceof UnusualSyntax) return { name: 'space', collections: [] };
    throw error;
  }
}
