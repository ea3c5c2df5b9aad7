import type { LiveDataEntry } from 'astro';
import type { Entry } from '../../../entries/collection.ts';
import type { LanguageItems } from '../../../entries/language-items.ts';
import { invalidContentError } from '../../../entries/problems/content-errors.ts';
import { createResolver, type Resolver } from '../../../entries/reference-resolver.ts';
import type { Sanitizer } from '../../../entries/sanitize/item-sanitizer.ts';
import type { LuidContentError } from '../../../errors.ts';
import type { SpaceCore } from '../../../space/space.ts';
import type { MeasuredImages } from '../../loader/collection-images.ts';
import { digestText, resolveEntry } from '../../loader/entry-data.ts';
import type { LoaderPlan } from '../../loader/loader-options.ts';
import { renderBody } from '../../loader/render-body.ts';
import { cacheItems } from './cache-items.ts';
import type { LiveHost } from './live-host.ts';

/** What entries are made with: the same as in a build. */
export interface EntryTools {
  readonly space: Pick<SpaceCore, 'models' | 'schema'>;
  readonly plan: LoaderPlan;
  readonly sanitizer: Sanitizer | undefined;
  readonly images: MeasuredImages | undefined;
  /** Equal as long as equal items become equal data. */
  readonly dataFingerprint: string;
  readonly host: Pick<LiveHost, 'digest' | 'hashItem'>;
}

/** An entry as a page gets it, without its cache hint. It has the digest that a build would give it. */
export interface MadeEntry extends Omit<LiveDataEntry, 'cacheHint'> {
  readonly digest: string;
  readonly body?: string;
}

/** Makes entries. What they have in common is parsed once; nothing is shared with other requests. */
export class EntryMaker {
  readonly #tools: EntryTools;
  readonly #resolvers = new Map<LanguageItems, Resolver>();
  readonly #configuration: string;

  constructor(tools: EntryTools) {
    this.#tools = tools;
    this.#configuration = tools.host.digest(tools.dataFingerprint);
  }

  /** Equal as long as a page sees the same. */
  digestOf(entry: Entry): string {
    const { plan, images, host } = this.#tools;
    const resolver = this.#resolverOf(entry.languageItems);
    return host.digest(digestText(this.#configuration, plan, entry, resolver, images));
  }

  /** The entry, or the error that a build would fail with. */
  async make(entry: Entry): Promise<MadeEntry | { readonly error: LuidContentError }> {
    const { space, plan, sanitizer, images } = this.#tools;
    const result = resolveEntry(plan, entry, this.#resolverOf(entry.languageItems));
    if ('invalid' in result) return { error: invalidContentError(result.invalid) };
    const body = await renderBody(
      { models: space.models, plan, sanitizer, images, renderMarkdown: noMarkdown },
      result.resolved,
    );
    return { id: entry.id, data: result.data, digest: this.digestOf(entry), ...body } as MadeEntry;
  }

  #resolverOf(languageItems: LanguageItems): Resolver {
    const { space, sanitizer, images, host } = this.#tools;
    const resolver =
      this.#resolvers.get(languageItems) ??
      createResolver({
        models: space.models,
        languageItems: cacheItems(languageItems),
        schema: (model) => space.schema(model, { depth: 0 }),
        hash: host.digest,
        ...(host.hashItem && { hashItem: host.hashItem }),
        prepare: images?.prepare,
        sanitize: sanitizer?.sanitizeItem,
      });
    this.#resolvers.set(languageItems, resolver);
    return resolver;
  }
}

/** Astro renders Markdown in builds only: such bodies are refused when the loader is defined. */
async function noMarkdown(): Promise<never> {
  throw new Error('Markdown cannot be rendered at request time');
}
