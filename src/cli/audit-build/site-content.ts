import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WireContent } from '../../contract/content.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import type { Fields } from '../../models/types.ts';
import { LuidConfigError } from '../../shared/errors.ts';
import { printable } from '../../shared/printable.ts';
import { didYouMean } from '../../shared/suggest.ts';
import type { RecordedCollection, RecordedScope } from '../../space/audited-content.ts';

/** The items of a model in one language. */
export interface ModelView {
  /** The key of the view. */
  readonly key: string;
  /** `null`: the main language. */
  readonly lang: string | null;
  readonly items: ReadonlyMap<number, WireContent>;
}

/** A model that the site has collections of. */
export interface SiteModel {
  readonly model: string;
  readonly fields: Fields;
  /** The names of its collections; none if its items are only shown by others. */
  readonly collections: readonly string[];
  /** The main language first. */
  readonly views: readonly [ModelView, ...ModelView[]];
}

/** What the loaders have recorded: every model with items. */
export function readSiteContent(exchange: string): SiteModel[] {
  const read = <T>(pattern: string) =>
    globSync(pattern, { cwd: exchange })
      .sort()
      .map((file) => JSON.parse(readFileSync(join(exchange, file), 'utf8')) as T);
  const collections = read<RecordedCollection>('collection-*.json');
  const bySpace = Map.groupBy(read<RecordedScope>('scope-*.json'), ({ space }) => space);
  return [...bySpace].flatMap(([space, views]) => {
    const [main, ...others] = views.sort((a, b) => (a.lang ?? '').localeCompare(b.lang ?? ''));
    if (!main) return [];
    return Object.keys(main.models).flatMap((model): SiteModel[] => {
      const viewOf = ({ key, lang, items }: RecordedScope): ModelView => {
        const own = items.filter(({ _model }) => _model === model);
        return { key, lang, items: new Map(own.map((item) => [item._id, item])) };
      };
      const ownCollections = collections.filter((one) => one.space === space && one.model === model);
      const own = {
        model,
        fields: fieldsOf(main.models, model),
        collections: ownCollections.map(({ collection }) => collection),
        views: [viewOf(main), ...others.map(viewOf)] as const,
      };
      return own.views.some(({ items }) => items.size > 0) ? [{ ...own, views: [...own.views] }] : [];
    });
  });
}

/** The models whose content is changed. Throws if the site has no content of one. */
export function chooseModels(
  models: readonly SiteModel[],
  requested: readonly string[] | undefined,
): readonly SiteModel[] {
  const names = models.map(({ model }) => model);
  const unknown = requested?.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new LuidConfigError(
      `No content of the model ${printable(JSON.stringify(unknown))}${didYouMean(unknown, names)}`,
      { hint: `The site loads ${names.map((name) => printable(name)).join(', ')}.` },
    );
  }
  return requested ? models.filter(({ model }) => requested.includes(model)) : models;
}
