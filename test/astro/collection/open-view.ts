import { checkLoaderOptions } from '../../../src/astro/collection/options/loader-options.ts';
import type { Collection } from '../../../src/astro/collection/view/collection.ts';
import { CollectionView } from '../../../src/astro/collection/view/collection-view.ts';
import type { WireContent } from '../../../src/contract/content.ts';
import type { ReferencedCollection } from '../../../src/entries/collection.ts';
import { defineSpace } from '../../../src/index.ts';
import type { ModelMap } from '../../../src/models/types.ts';
import type { Content } from '../../../src/replica/content/content.ts';
import type { Manifest } from '../../../src/replica/store/manifest/manifest.ts';
import { replicaOf } from '../../replica/replica-of.ts';

/** The items of a space: in its main language, Japanese, and in English if it has any. */
export interface TestItems {
  readonly main: readonly WireContent[];
  readonly sub?: readonly WireContent[];
}

const LANGUAGES = { main: 'ja', sub: ['en'] };

/** Options of a loader. */
export type TestOptions = Readonly<Record<string, unknown>>;

/** A collection of a model with the options of a loader. `people`: the options of a collection that references lead to. */
export function testCollection(
  models: ModelMap,
  model: string,
  options: TestOptions = {},
  people: TestOptions & { readonly model: string } = { model: 'author' },
): Collection {
  const space = spaceOf(models);
  const settings = checkLoaderOptions(models, space.settings, model, options);
  const { model: other, ...peopleOptions } = people;
  const target = () => checkLoaderOptions(models, space.settings, other, peopleOptions);
  const references = new Map(
    Object.entries(settings.references).map(([luid, name]): [string, ReferencedCollection] => [
      luid,
      { collection: name, rule: target().rule },
    ]),
  );
  return {
    space,
    settings,
    usesColumns: false,
    references: () => references,
    findInvalid: async () => undefined,
  };
}

function spaceOf(models: ModelMap) {
  return defineSpace({ models, languages: LANGUAGES } as never) as never as Collection['space'];
}

export async function contentOf(
  models: ModelMap,
  { main, sub }: TestItems,
  manifest: Partial<Manifest> = {},
): Promise<Content> {
  const replica = (items: readonly WireContent[]) => replicaOf(models, items, manifest);
  return { main: await replica(main), sub: new Map(sub && [['en', await replica(sub)]]) };
}

/** The view of a collection, with everything that its entries need. */
export async function openView(collection: Collection, content: Content): Promise<CollectionView> {
  const view = await CollectionView.open(collection, content);
  await view.findBacklinks();
  return view;
}

export const entriesOf = (view: CollectionView) => view.all.map((member) => view.entryOf(member));
