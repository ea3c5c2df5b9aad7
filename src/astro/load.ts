import type { LoaderContext } from 'astro/loaders';
import type { WireContent } from '../contract/content.ts';
import { ID_PREFIX, prefixedId } from '../entries/clean-rules.ts';
import { type CollectionRule, type Entry, entriesOf } from '../entries/collection.ts';
import { type Corpus, createCorpus } from '../entries/corpus.ts';
import { driftOf } from '../entries/drift.ts';
import { createLinker, type Linker } from '../entries/link.ts';
import { unmarkImages } from '../entries/markdown-images.ts';
import { renderHtml } from '../entries/render.ts';
import { type Issue, invalidContent } from '../entries/report.ts';
import { isCleaned, openSanitizer, type Sanitizer } from '../entries/sanitize.ts';
import { shownItems } from '../entries/shown.ts';
import { LuidConfigError, LuidError } from '../errors.ts';
import type { Replica } from '../replica/replica.ts';
import { reportLoad } from './dev-report.ts';
import type { LoaderPlan } from './loader-options.ts';
import { type MeasuredPictures, openPictures } from './pictures.ts';
import { sharedSync } from './shared-sync.ts';
import type { Space } from './space.ts';
import { warnOnce } from './warn-once.ts';

type Staged = Parameters<LoaderContext['store']['set']>[0];

/** Fills a collection, or throws an error in the form in which Astro shows it best. */
export async function load(space: Space, plan: LoaderPlan, context: LoaderContext): Promise<void> {
  rulesOf(space).set(context.collection, plan.rule);
  try {
    await fill(space, plan, context);
    reportLoad(space, plan, context);
  } catch (error) {
    // Astro prints a `hint` below the message, and ours ends with it already.
    if (LuidError.is(error)) Object.defineProperty(error, 'hint', { value: undefined });
    // A dev server that has something to show goes on showing it.
    if (!context.watcher || context.store.keys().length === 0) throw error;
    reportLoad(space, plan, context, error);
    context.logger.error(`${context.collection} is shown as it was: ${(error as Error).message}`);
  }
}

/** All that can fail comes first; then the store is changed in one go. */
async function fill(space: Space, plan: LoaderPlan, context: LoaderContext): Promise<void> {
  const replicas = await syncAll(space, plan, context);
  const pictures = await openPictures(space, plan, context);
  const sanitizer = await openSanitizer(space.models);
  const stamps = `${plan.stamp} ${pictures?.stamp} ${sanitizer?.stamp}`;
  const parsedBy = `${JSON.stringify(space.models)} ${space.settings.strict} ${stamps}`;
  const versions = [...replicas.values()].map(({ version }) => version);
  const state = context.generateDigest(`${versions.join(' ')} ${parsedBy}`);
  // Astro clears the two together, so what the store holds is what this says.
  if (context.meta.get(STATE) === state) return;

  const corpora = await corporaOf(space, plan, replicas);
  const entries = entriesOf({
    rule: plan.rule,
    corpora: corpora.shown,
    langsOf: corpora.langsOf,
    order: plan.order,
    references: referencesOf(space, plan, context),
    onWithoutId(error) {
      if (space.settings.onInvalid !== 'skip') throw error;
      context.logger.warn(`An entry of ${context.collection} is left out. ${error.message}`);
    },
  });
  const measured = await pictures?.measure(entries);
  const { staged, skipped } = await stage({ space, plan, sanitizer, measured, parsedBy, context }, entries);
  const ids = new Set(entries.map(({ id }) => id).filter((id) => !skipped.has(id)));
  for (const id of [...context.store.keys()]) if (!ids.has(id)) context.store.delete(id);
  for (const entry of staged) context.store.set(entry);
  // What was skipped may fit the next time, and what could not be measured be measured, though nothing
  // changed that this state tells of.
  context.meta.set(STATE, skipped.size > 0 || measured?.isComplete === false ? '' : state);
}

const STATE = 'astro-luid:state';
/** Of the main language, whatever its key: it is asked for without one. */
const MAIN = '';

/** The replicas that the collection is made of, by language. */
async function syncAll(
  space: Space,
  plan: LoaderPlan,
  context: LoaderContext,
): Promise<Map<string, Replica>> {
  const { languages } = space.settings;
  const usesLanguages = plan.lang !== undefined || plan.langs !== undefined;
  const subs = usesLanguages ? (languages?.sub ?? []) : [];
  const sync = (lang: string | undefined) => sharedSync(space, { drafts: plan.drafts, lang }, context);
  const found = await Promise.all([sync(undefined), ...subs.map(sync)]);
  return new Map([MAIN, ...subs].map((lang, index) => [lang, found[index] as Replica]));
}

async function corporaOf(space: Space, plan: LoaderPlan, replicas: ReadonlyMap<string, Replica>) {
  const items = new Map<string, ReadonlyMap<number, WireContent>>();
  for (const [lang, replica] of replicas) items.set(lang, await replica.items());
  const main = items.get(MAIN) ?? new Map<number, WireContent>();
  const { languages } = space.settings;
  const asked = plan.langs ?? (plan.lang === undefined ? [undefined] : [plan.lang]);
  const shown = asked.map((lang): Corpus => {
    if (lang === undefined || lang === languages?.main) return createCorpus(lang, main);
    return createCorpus(lang, items.get(lang) ?? new Map(), plan.fallback ? main : undefined);
  });
  const langsOf = (id: number) =>
    [...items].flatMap(([lang, all]) =>
      all.has(id) ? [lang === MAIN ? (languages?.main ?? '') : lang] : [],
    );
  return { shown, langsOf: items.size > 1 || plan.langs || plan.lang !== undefined ? langsOf : undefined };
}

/** The rules of all collections of a space, for references between them. Astro starts all loaders at once. */
const rules = new WeakMap<object, Map<string, CollectionRule>>();

function rulesOf(space: Space): Map<string, CollectionRule> {
  const known = rules.get(space) ?? new Map<string, CollectionRule>();
  rules.set(space, known);
  return known;
}

function referencesOf(space: Space, plan: LoaderPlan, { collection: own }: LoaderContext) {
  const known = rulesOf(space);
  return new Map(
    Object.entries(plan.references).map(([luid, collection]) => {
      const rule = known.get(collection);
      if (!rule) {
        throw new LuidConfigError(
          `${own}: references.${luid} leads to ${JSON.stringify(collection)}, which is no collection of this space`,
          {
            field: luid,
            hint: `Use one of ${[...known.keys()].join(', ')}.`,
          },
        );
      }
      return [luid, { collection, rule }] as const;
    }),
  );
}

interface Stage {
  readonly space: Space;
  readonly plan: LoaderPlan;
  readonly sanitizer: Sanitizer | undefined;
  readonly measured: MeasuredPictures | undefined;
  /** Equal for what makes equal data of equal items. */
  readonly parsedBy: string;
  readonly context: LoaderContext;
}

/** Makes data of what changed. The digest covers all that a page can see, and whatever decides how it is made. */
async function stage(how: Stage, entries: readonly Entry[]) {
  const { space, plan, measured, parsedBy, context } = how;
  const linkers = new Map<Corpus, Linker>();
  const linkerOf = (corpus: Corpus) => {
    const linker = linkers.get(corpus) ?? newLinker(how, corpus);
    linkers.set(corpus, linker);
    return linker;
  };
  const stamp = context.generateDigest(parsedBy);
  const staged: Staged[] = [];
  const skipped = new Set<string>();
  const invalid: { data: WireContent; issues: readonly Issue[] }[] = [];

  for (const { id, item, corpus, extras } of entries) {
    const linker = linkerOf(corpus);
    const digest = context.generateDigest(
      `${stamp} ${linker.signature(item, plan.depth)} ${JSON.stringify(extras)} ${measured?.stampOf(item)}`,
    );
    if (context.store.get(id)?.digest === digest) continue;
    const problems: typeof invalid = [];
    const linked = linker.link(item, plan.depth, (data, issues) => problems.push({ data, issues }));
    if (problems.length === 0) {
      const data = { ...(linked as WireContent), ...extras };
      try {
        const parsed = await context.parseData({ id, data });
        staged.push({ id, digest, data: parsed, ...(await rendered(how, data)) });
        continue;
      } catch (error) {
        // Ours has passed it, so this is what the user's own schema says.
        problems.push({ data: item, issues: [{ path: [], message: (error as Error).message }] });
      }
    }
    skipped.add(id);
    invalid.push(...problems);
  }

  if (invalid.length > 0) {
    const error = invalidContent(invalid);
    if (space.settings.onInvalid !== 'skip') throw error;
    context.logger.warn(`${skipped.size} entries of ${context.collection} are left out. ${error.message}`);
  }
  const shown = shownItems(space.models, entries, plan.depth);
  for (const line of driftOf(space.models, shown, space.settings.strict)) {
    warnOnce(space, line, context.logger);
  }
  return { staged, skipped };
}

function newLinker({ space, sanitizer, measured, context }: Stage, corpus: Corpus): Linker {
  const { generateDigest, logger } = context;
  return createLinker({
    models: space.models,
    corpus,
    schema: (model) => space.schema(model, { depth: 0 }),
    hash: generateDigest,
    prepare: measured?.prepare,
    clean: sanitizer?.clean,
    onUndeclared: (place, id) =>
      logger.warn(`${place}: content ${id} is of a model that is not declared and stays an id`),
  });
}

async function rendered(
  { space, plan: { model, body }, sanitizer, measured, context }: Stage,
  data: WireContent,
): Promise<Pick<Staged, 'body' | 'rendered'>> {
  const text = body && data[body.luid];
  if (typeof text !== 'string') return {};
  const cleaner = isCleaned(space.models[model]?.[body?.luid ?? '']) ? sanitizer : undefined;
  if (!body?.isMarkdown) return { body: text, rendered: renderHtml(text, cleaner && ID_PREFIX) };
  const result = await context.renderMarkdown(text);
  const unmarked = unmarkImages(result.html);
  const html = cleaner ? cleaner.cleanRendered(unmarked) : unmarked;
  const metadata = cleaner ? withPrefixedSlugs(result.metadata) : result.metadata;
  const shown = measured?.finish(html) ?? html;
  return { body: text, rendered: { ...result, ...(metadata && { metadata }), html: shown } };
}

type Metadata = Awaited<ReturnType<LoaderContext['renderMarkdown']>>['metadata'];

/** The ids of a cleaned text have a prefix, those of its headings too. */
function withPrefixedSlugs(metadata: Metadata): Metadata {
  if (!metadata?.headings) return metadata;
  const headings = metadata.headings.map((heading) => ({ ...heading, slug: prefixedId(heading.slug) }));
  return { ...metadata, headings };
}
