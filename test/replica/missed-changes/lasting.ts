import { field } from '../../../src/index.ts';
import { type CollectionQuery, type Content, published } from '../loader-site.ts';
import { inBoth, NEWER, type Scenario, TITLE, UNTYPED, UNTYPED_WITHOUT_OTHER } from './scenario.ts';

/** What article 11 refers to. The service shows its id at depth 0. */
export interface LastingReference extends Scenario {
  readonly target: Content;
  /** In a build, at depth 1. */
  readonly shown: number | null;
  readonly query?: Omit<CollectionQuery, 'model' | 'depth'>;
}

export const TARGET = 5;
const target = (model: string, values: object) => inBoth(model, TARGET, values);
const ENGLISH = { lang: 'en' };
/** The field names its models. */
const TYPED = { ...UNTYPED_WITHOUT_OTHER, article: { ...TITLE, any: field.reference('author') } };

/** What deploying.md says that does not end, line by line. */
export const LASTING: Record<string, Record<string, LastingReference>> = {
  'Content without data in the language': {
    'is empty beyond `depth`': {
      target: published('author', TARGET, { name: '5' }),
      shown: null,
      service: { models: UNTYPED },
      collection: ENGLISH,
      query: ENGLISH,
    },
  },
  'Content that the key cannot see': {
    'is empty, also if the service shows its id': {
      target: { id: TARGET, model: 'author', draft: { ja: { name: '5' } } },
      shown: null,
      service: { models: UNTYPED, assumptions: { unseenTarget: 'id' } },
      models: TYPED,
    },
  },
  'Content of an undeclared model in a field that names its models': {
    'is empty': {
      target: target('other', { title: '5' }),
      shown: null,
      service: { models: UNTYPED },
      models: TYPED,
    },
  },
  'Content of another sub-space': {
    'is empty with `space`': {
      target: { ...target('author', { name: '5' }), space: 'shop' },
      shown: null,
      service: { models: UNTYPED, spaces: ['_parent', 'shop'] },
      space: { space: '_parent' },
      models: TYPED,
    },
  },
  'Content that the site does not know': {
    'is its id if it is of an undeclared model and has no data in the language': {
      target: published('other', TARGET, { title: '5' }),
      shown: TARGET,
      service: { models: UNTYPED },
      models: UNTYPED_WITHOUT_OTHER,
      collection: ENGLISH,
      query: ENGLISH,
    },
    'is its id if it has no data in the main language': {
      target: { id: TARGET, model: 'author', published: { en: { name: '5' } } },
      shown: TARGET,
      service: { models: UNTYPED },
    },
    'is its id if it is of another sub-space': {
      target: { ...target('author', { name: '5' }), space: 'shop' },
      shown: TARGET,
      service: { models: UNTYPED, spaces: ['_parent', 'shop'] },
      space: { space: '_parent' },
    },
  },
};

export function contentsWith({ target: referenced }: LastingReference): readonly Content[] {
  return [referenced, inBoth('article', 11, { title: 'a', any: TARGET }), ...NEWER];
}
