import type { LoaderContext } from 'astro/loaders';
import type { WireContent } from '../../contract/content.ts';
import { type Collected, type Entry, entriesOf } from '../../entries/collection.ts';
import { type Corpus, createCorpus } from '../../entries/corpus.ts';
import { unusableIds } from '../../entries/entry-id.ts';
import type { Finding } from '../../entries/findings/finding.ts';
import { counted, duplicateIds, type InvalidItem, invalidContent } from '../../entries/findings/report.ts';
import { schemaIssues } from '../../entries/findings/schema-issues.ts';
import { createLinker, type Linker } from '../../entries/link.ts';
import { unmarkImages } from '../../entries/markdown-images.ts';
import { renderHtml } from '../../entries/render.ts';
import { ID_PREFIX, prefixedId } from '../../entries/sanitize/id-prefix.ts';
import { isCleaned, openSanitizer, type Sanitizer } from '../../entries/sanitize/sanitize.ts';
import { shownItems } from '../../entries/shown.ts';
import type { Replica } from '../../replica/replica.ts';
import { sharedSync } from '../../space/shared-sync.ts';
import type { SpaceCore } from '../../space/space.ts';
import { warnOnce } from '../../space/warn-once.ts';
import { reportLoad } from '../dev/load-reports.ts';
import { type MeasuredPictures, openPictures } from './collection-images.ts';
import { namingPlans, plansOf, referencesOf } from './collection-plans.ts';
import { contentFindings } from './load-findings.ts';
import { type Changes, loadLine } from './load-log.ts';
import type { LoaderPlan } from './loader-options.ts';
import { throwWithOneHint } from './one-hint.ts';
import { DRAFTS } from './same-keys.ts';
import { siteFindings } from './site-findings.ts';

type Staged = Parameters<LoaderContext['store']['set']>[0];

/** Fills a collection, or throws an error in the form in which Astro shows it best. */
export async function load(space: SpaceCore, plan: LoaderPlan, context: LoaderContext): Promise<void> {
  plansOf(space).set(context.collection, plan);
  try {
    const { changes, findings, replica, isStale } = await fill(space, plan, context);
    context.logger.info(loadLine(context.collection, plan, changes));
    const more = await siteFindings(space, plan, replica, context);
    warnOf(more, space, context);
    const warnedOfDrafts = [...findings, ...more].some(({ key }) => key === DRAFTS);
    reportLoad(space, plan, context, { isStale, warnedOfDrafts });
  } catch (error) {
    // A dev server that has something to show goes on showing it.
    if (!context.watcher || context.store.keys().length === 0) throwWithOneHint(error);
    reportLoad(space, plan, context, { problem: error });
    context.logger.error(`${context.collection}: keeping the previous content. ${(error as Error).message}`);
  }
}

interface Filled {
  readonly changes: Changes;
  readonly findings: readonly Finding[];
  /** The copy in the main language. */
  readonly replica: Replica;
  /** Some language is of the last snapshot: the service was not asked, or was unavailable. */
  readonly isStale: boolean;
}

function warnOf(findings: readonly Finding[], space: SpaceCore, { logger }: LoaderContext): void {
  for (const { key, line } of findings) warnOnce(space, line, logger, key);
}

/** All that can fail comes first; then the store is changed in one go. */
async function fill(space: SpaceCore, plan: LoaderPlan, context: LoaderContext): Promise<Filled> {
  const { store, meta } = context;
  const replicas = await syncAll(space, plan, context);
  const replica = replicas.get(MAIN) as Replica;
  const isStale = [...replicas.values()].some(({ isFromCache }) => isFromCache);
  const pictures = await openPictures(space, plan, context);
  const sanitizer = await openSanitizer(space.models);
  const stamps = `${plan.stamp} ${pictures?.stamp} ${sanitizer?.stamp}`;
  const parsedBy = `${JSON.stringify(space.models)} ${space.settings.strict} ${stamps}`;
  const versions = [...replicas.values()].map(({ fingerprint }) => fingerprint);
  const languages = JSON.stringify(space.settings.languages);
  const naming = namingPlans(space, plan);
  const rules = naming.map(({ stamp }) => stamp).join(' ');
  // Only its results show what a function does: it may call code that changed.
  const early = naming.some(({ rule }) => typeof rule.id === 'function')
    ? await collect(space, plan, replicas, context)
    : undefined;
  const names = early ? namesIn(early) : '';
  const state = context.generateDigest(`${versions.join(' ')} ${languages} ${parsedBy} ${rules} ${names}`);
  // Astro clears the two together, so what the store holds is what this says.
  if (meta.get(STATE) === state) {
    const findings = findingsIn(meta);
    warnOf(findings, space, context);
    const changes = { entries: store.keys().length, added: 0, changed: 0, removed: 0 };
    return { changes, findings, replica, isStale };
  }

  const collected = early ?? (await collect(space, plan, replicas, context));
  const { entries } = collected;
  const shown = shownItems(space.models, entries, plan.depth);
  const { collection } = context;
  const findings = [
    ...checkIds(space, plan, collected, collection),
    ...(await contentFindings({ space, collection, drafts: plan.drafts, replica, shown })),
  ];
  // Warn first: staging may throw.
  warnOf(findings, space, context);
  const measured = await pictures?.measure(entries);
  const { staged, skipped } = await stage({ space, plan, sanitizer, measured, parsedBy, context }, entries);
  const ids = new Set(entries.map(({ id }) => id).filter((id) => !skipped.has(id)));

  const before = new Set(store.keys());
  const gone = [...before].filter((id) => !ids.has(id));
  const added = staged.filter(({ id }) => !before.has(id)).length;
  for (const id of gone) store.delete(id);
  for (const entry of staged) store.set(entry);
  meta.set(FINDINGS, JSON.stringify(findings));
  // What was skipped may fit the next time, and what could not be measured be measured, though nothing
  // changed that this state tells of.
  const isFinal = skipped.size === 0 && collected.unnamed.length === 0 && measured?.isComplete !== false;
  meta.set(STATE, isFinal ? state : '');
  const changes = { entries: ids.size, added, changed: staged.length - added, removed: gone.length };
  return { changes, findings, replica, isStale };
}

async function collect(
  space: SpaceCore,
  plan: LoaderPlan,
  replicas: ReadonlyMap<string, Replica>,
  { collection }: LoaderContext,
): Promise<Collected> {
  const { shown, langsOf } = await corporaOf(space, plan, replicas);
  const references = referencesOf(space, plan, collection);
  return entriesOf({ rule: plan.rule, corpora: shown, langsOf, order: plan.order, references });
}

/** Every id in the entries: their own, and those of neighbours and references. */
function namesIn({ entries }: Collected): string {
  return JSON.stringify(entries.map(({ id, item, extras }) => [id, item._id, extras]));
}

/** Fails for ids that cannot be used, or leaves out what has none where the space says so. */
function checkIds(
  { settings: { onInvalid } }: SpaceCore,
  { rule }: LoaderPlan,
  { unnamed, duplicates }: Collected,
  collection: string,
): Finding[] {
  if (duplicates.size > 0) throw duplicateIds(duplicates, collection);
  if (unnamed.length === 0) return [];
  const error = unusableIds(unnamed, rule.id, onInvalid === 'skip');
  if (onInvalid !== 'skip') throw error;
  const line = `${collection}: ${counted(unnamed.length, 'entry is', 'entries are')} skipped. ${error.message}`;
  return [{ key: line, line }];
}

const FINDINGS = 'astro-luid:findings';

/** What was found when the store was filled: a build that changes nothing warns of it all the same. */
function findingsIn(meta: LoaderContext['meta']): Finding[] {
  return JSON.parse(meta.get(FINDINGS) ?? '[]') as Finding[];
}

const STATE = 'astro-luid:state';
/** Of the main language, whatever its key: it is asked for without one. */
const MAIN = '';

/** The replicas that the collection is made of, by language. */
async function syncAll(
  space: SpaceCore,
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

async function corporaOf(space: SpaceCore, plan: LoaderPlan, replicas: ReadonlyMap<string, Replica>) {
  const items = new Map<string, ReadonlyMap<number, WireContent>>();
  for (const [lang, replica] of replicas) items.set(lang, await replica.unresolvedItems());
  const undeclared = (lang: string) => replicas.get(lang)?.undeclared ?? new Set<number>();
  const undeclaredInMain = (lang: string) => [
    ...undeclared(MAIN),
    ...(replicas.get(lang)?.undeclaredInMain ?? []),
  ];
  const main = items.get(MAIN) ?? new Map<number, WireContent>();
  const { languages } = space.settings;
  const asked = plan.langs ?? (plan.lang === undefined ? [undefined] : [plan.lang]);
  const shown = asked.map((lang): Corpus => {
    if (lang === undefined || lang === languages?.main)
      return createCorpus({ lang, items: main, undeclared: undeclared(MAIN) });
    return createCorpus({
      lang,
      items: items.get(lang) ?? new Map(),
      fallback: plan.fallback ? main : undefined,
      undeclared: new Set([...undeclared(lang), ...(plan.fallback ? undeclaredInMain(lang) : [])]),
    });
  });
  const langsOf = (id: number) =>
    [...items].flatMap(([lang, all]) =>
      all.has(id) ? [lang === MAIN ? (languages?.main ?? '') : lang] : [],
    );
  return { shown, langsOf: items.size > 1 || plan.langs || plan.lang !== undefined ? langsOf : undefined };
}

interface Stage {
  readonly space: SpaceCore;
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
  const invalid: InvalidItem[] = [];

  for (const { id, item, corpus, extras } of entries) {
    const linker = linkerOf(corpus);
    const digest = context.generateDigest(
      `${stamp} ${linker.signature(item, plan.depth)} ${JSON.stringify(extras)} ${measured?.stampOf(item)}`,
    );
    if (context.store.get(id)?.digest === digest) continue;
    const problems: InvalidItem[] = [];
    const linked = linker.link(item, plan.depth, (data, issues) => problems.push({ data, issues }));
    if (problems.length === 0) {
      const data = { ...(linked as WireContent), ...extras };
      // Our own schema has accepted it, so what fails here is the schema of the site.
      const parsed = await context.parseData({ id, data }).catch((error: unknown) => {
        problems.push({ data: item, issues: schemaIssues(error) });
      });
      if (problems.length === 0)
        staged.push({ id, digest, data: parsed as Staged['data'], ...(await rendered(how, data)) });
    }
    if (problems.length > 0) {
      skipped.add(id);
      invalid.push(...problems);
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

function newLinker({ space, sanitizer, measured, context }: Stage, corpus: Corpus): Linker {
  const { generateDigest } = context;
  return createLinker({
    models: space.models,
    corpus,
    schema: (model) => space.schema(model, { depth: 0 }),
    hash: generateDigest,
    prepare: measured?.prepare,
    clean: sanitizer?.clean,
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
