import type { LoaderContext } from 'astro/loaders';
import type { WireContent } from '../../../contract/content.ts';
import type { Entry } from '../../../entries/collection.ts';
import { resolveInEntry } from '../../../entries/entry-shape.ts';
import { keepProperties } from '../../../entries/kept-properties.ts';
import type { InvalidItem } from '../../../entries/problems/invalid-item.ts';
import type { ResolverOptions } from '../../../entries/reference-resolver.ts';
import { createResolvers, type ResolverOf } from '../../../entries/resolvers.ts';
import type { Sanitizer } from '../../../entries/sanitize/item-sanitizer.ts';
import type { SpaceCore } from '../../../space/space.ts';
import type { CollectionSettings } from '../options/loader-options.ts';
import type { MeasuredImages } from './collection-images.ts';
import { renderBody } from './render-body.ts';

/** The data of an entry, and its item with references resolved, which the body is rendered from. */
export interface EntryData {
  readonly data: Record<string, unknown>;
  readonly resolved: WireContent;
}

/** What the items of entries are resolved with. */
export interface ItemTools extends Pick<ResolverOptions, 'hash' | 'hashItem'> {
  readonly sanitizer: Sanitizer | undefined;
  readonly images: MeasuredImages | undefined;
}

export function entryResolvers(
  space: Pick<SpaceCore, 'models' | 'schema' | 'settings'>,
  { sanitizer, images, ...hashes }: ItemTools,
  itemsOf?: Parameters<typeof createResolvers>[1],
): ResolverOf {
  const options = {
    ...hashes,
    models: space.models,
    schema: (model: string) => space.schema(model, { depth: 0 }),
    strict: space.settings.strict,
    onInvalid: space.settings.onInvalid ?? 'fail',
    prepare: images?.prepare,
    sanitize: sanitizer?.sanitizeItem,
  };
  return createResolvers(options, itemsOf);
}

/** What entries are made with. */
export interface EntryTools extends Pick<ItemTools, 'hash' | 'sanitizer' | 'images'> {
  readonly space: Pick<SpaceCore, 'models'>;
  readonly settings: CollectionSettings;
  readonly resolverOf: ResolverOf;
  /** Equal as long as equal items become equal data. */
  readonly dataFingerprint: string;
  readonly renderMarkdown: LoaderContext['renderMarkdown'];
}

/** Makes entries, in builds and on servers alike. What they have in common is parsed once. */
export class EntryMaker {
  readonly #tools: EntryTools;
  readonly #configuration: string;

  constructor(tools: EntryTools) {
    this.#tools = tools;
    this.#configuration = tools.hash(tools.dataFingerprint);
  }

  /** Covers everything that a page can see of an entry, and everything that decides how it is made. */
  digestOf({ item, computed, backlinks, languageItems }: Entry): string {
    const { settings, images, hash, resolverOf } = this.#tools;
    const { depth, shown } = settings.rule;
    const resolver = resolverOf(languageItems);
    const lists = backlinks?.map(({ depth: ownDepth, items }) =>
      items.map((referrer) => resolver.fingerprintHash(referrer, ownDepth)),
    );
    const parts = [
      this.#configuration,
      resolver.fingerprint(item, depth, shown),
      JSON.stringify(computed),
      images?.fingerprintOf(item),
      ...(lists ? [JSON.stringify(lists)] : []),
    ];
    return hash(parts.map(String).join(' '));
  }

  /** Resolves an entry, or returns why it cannot be shown. */
  resolve({ item, computed, backlinks = [], languageItems }: Entry): EntryData | InvalidItem {
    const { rule, kept } = this.#tools.settings;
    const resolver = this.#tools.resolverOf(languageItems);
    const own = resolveInEntry(resolver, item, rule);
    if ('issues' in own) return own;
    const because: InvalidItem[] = [];
    const lists = backlinks.map(({ name, items, ...shape }) => {
      const referrers = items.map((referrer) => resolveInEntry(resolver, referrer, shape));
      because.push(...referrers.filter((one) => 'issues' in one));
      return [name, referrers.map(({ data }) => data)];
    });
    if (because.length > 0) return { data: item, issues: [], because };
    const { data: resolved } = own;
    return {
      data: { ...keepProperties(resolved, kept), ...computed, ...Object.fromEntries(lists) },
      resolved,
    };
  }

  /** The body and what `render(entry)` renders; nothing if the collection has no `body`. */
  renderBody({ resolved }: EntryData): ReturnType<typeof renderBody> {
    const { space, settings, sanitizer, images, renderMarkdown } = this.#tools;
    return renderBody({ models: space.models, settings, sanitizer, images, renderMarkdown }, resolved);
  }
}
