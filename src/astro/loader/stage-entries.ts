import type { LoaderContext } from 'astro/loaders';
import type { WireContent } from '../../contract/content.ts';
import type { Entry } from '../../entries/collection.ts';
import type { Corpus } from '../../entries/corpus.ts';
import { counted, type InvalidItem, invalidContent } from '../../entries/findings/report.ts';
import { schemaIssues } from '../../entries/findings/schema-issues.ts';
import { createLinker, type Linker } from '../../entries/link.ts';
import type { Sanitizer } from '../../entries/sanitize/sanitize.ts';
import type { SpaceCore } from '../../space/space.ts';
import type { MeasuredImages } from './collection-images.ts';
import type { LoaderPlan } from './loader-options.ts';
import { renderBody } from './render-body.ts';

type StoredEntry = Parameters<LoaderContext['store']['set']>[0];

export interface StageOptions {
  readonly space: SpaceCore;
  readonly plan: LoaderPlan;
  readonly sanitizer: Sanitizer | undefined;
  readonly images: MeasuredImages | undefined;
  /** Equal as long as equal items become equal data. */
  readonly dataFingerprint: string;
  readonly context: LoaderContext;
}

export interface StagedEntries {
  /** New and changed entries, ready for the store. */
  readonly staged: readonly StoredEntry[];
  /** Ids of entries that do not fit their model, with `onInvalid: 'skip'`. */
  readonly skipped: ReadonlySet<string>;
}

/**
 * Resolves, validates and renders the entries that changed. The digest covers everything that a page can see of
 * an entry, and everything that decides how it is made.
 */
export async function stageEntries(options: StageOptions, entries: readonly Entry[]): Promise<StagedEntries> {
  const { space, plan, images, context } = options;
  const linkerOf = createLinkers(options);
  const fingerprint = context.generateDigest(options.dataFingerprint);
  const staged: StoredEntry[] = [];
  const skipped = new Set<string>();
  const invalid: InvalidItem[] = [];

  for (const entry of entries) {
    const { id, item, extras } = entry;
    const linker = linkerOf(entry.corpus);
    const digest = context.generateDigest(
      `${fingerprint} ${linker.signature(item, plan.depth)} ${JSON.stringify(extras)} ${images?.fingerprintOf(item)}`,
    );
    if (context.store.get(id)?.digest === digest) continue;
    const result = await stageEntry(options, entry, linker);
    if ('data' in result) staged.push({ id, digest, ...result });
    else {
      skipped.add(id);
      invalid.push(...result.invalid);
    }
  }

  if (invalid.length > 0) {
    const error = invalidContent(invalid, space.settings.onInvalid === 'skip');
    if (space.settings.onInvalid !== 'skip') throw error;
    const count = counted(skipped.size, 'entry is', 'entries are');
    context.logger.warn(`${context.collection}: ${count} skipped. ${error.message}`);
  }
  return { staged, skipped };
}

async function stageEntry(
  { space, plan, sanitizer, images, context }: StageOptions,
  { id, item, extras }: Entry,
  linker: Linker,
): Promise<Omit<StoredEntry, 'id' | 'digest'> | { readonly invalid: readonly InvalidItem[] }> {
  const invalid: InvalidItem[] = [];
  const linked = linker.link(item, plan.depth, (data, issues) => invalid.push({ data, issues }));
  if (invalid.length > 0) return { invalid };
  const data = { ...(linked as WireContent), ...extras };
  let parsed: StoredEntry['data'];
  try {
    parsed = await context.parseData({ id, data });
  } catch (error) {
    // The model's own schema accepted it, so it was the schema of the site's collection that did not.
    return { invalid: [{ data: item, issues: schemaIssues(error) }] };
  }
  const { renderMarkdown } = context;
  const body = await renderBody({ models: space.models, plan, sanitizer, images, renderMarkdown }, data);
  return { data: parsed, ...body };
}

/** One linker per language: it keeps what it resolved. */
function createLinkers({ space, sanitizer, images, context }: StageOptions): (corpus: Corpus) => Linker {
  const linkers = new Map<Corpus, Linker>();
  return (corpus) => {
    const linker =
      linkers.get(corpus) ??
      createLinker({
        models: space.models,
        corpus,
        schema: (model) => space.schema(model, { depth: 0 }),
        hash: context.generateDigest,
        prepare: images?.prepare,
        clean: sanitizer?.clean,
      });
    linkers.set(corpus, linker);
    return linker;
  };
}
