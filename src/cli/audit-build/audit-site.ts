import type { WireContent } from '../../contract/content.ts';
import { printable } from '../../shared/printable.ts';
import type { BuiltPage } from './built-pages.ts';
import {
  addCopy,
  alterItem,
  changedFields,
  exchangeTimes,
  type FieldChoice,
  inEveryLanguage,
  type MarkerOf,
  onlyIn,
  timesDiffer,
  touch,
} from './changes.ts';
import { describeRound, type Finding, mergeFindings, type Round } from './findings.ts';
import { findMasks, type Masks } from './masks.ts';
import { type Build, BuildError, type Builder } from './run-build.ts';
import { chooseModels, readSiteContent, type SiteModel } from './site-content.ts';
import {
  findShown,
  type Marked,
  Markers,
  markEverything,
  mayShow,
  neighbourOf,
  representativeItems,
  type ShownBy,
} from './survey-pages.ts';

export interface AuditResult {
  /** `false`: the site does not use incremental builds, so no page can stay old. */
  readonly incremental: boolean;
  /** How many pages have a `cacheKey`. */
  readonly pages: number;
  readonly findings: readonly Finding[];
  /** What could not be compared, and why. */
  readonly notes: readonly string[];
}

export interface AuditOptions {
  /** The folder where the loaders record what they load. */
  readonly exchange: string;
  /** The models whose content is changed. Default: all. */
  readonly models?: readonly string[] | undefined;
  /** How many items of each model are changed at most. Default: one that every route shows, or else several. */
  readonly sample?: number | undefined;
  readonly onStep: (step: string) => void;
  /** Called with how many builds there will be in all, when more is known about that. */
  readonly onEstimate?: ((builds: number) => void) | undefined;
}

/**
 * Builds a site with one change of its content after the other. A page stays old if its key is that of the build before,
 * although a full build renders it differently. Throws `BuildError` if the site cannot be built as it is.
 */
export async function auditSite(
  builder: Builder,
  { exchange, models: requested, sample, onStep, onEstimate }: AuditOptions,
): Promise<AuditResult> {
  onStep('full build');
  const first = await builder.build({ isFirst: true });
  const models = readSiteContent(exchange);
  const { incremental } = first;
  const reason = whyNothing(first, models);
  if (!incremental || reason !== undefined) {
    const notes = incremental && reason !== undefined ? [reason] : [];
    return { incremental, pages: first.pages.size, findings: [], notes };
  }
  const chosen = chooseModels(models, requested);
  onStep('the same again, to see what differs anyway');
  const base = await builder.build();
  builder.saveCache();
  const audit = new Audit(builder, first, base, onStep);
  await audit.surveyPages(models);
  const work = chosen.map((model) => ({ model, ids: audit.itemsOf(model).slice(0, sample) }));
  for (const [index, { model, ids }] of work.entries()) {
    const left = work.slice(index).reduce((builds, one) => builds + usualBuilds(one.model, one.ids), 0);
    onEstimate?.(builder.count + left);
    await audit.auditModel(model, ids);
  }
  return { incremental, pages: base.pages.size, findings: audit.findings(), notes: audit.notes };
}

/** Each item is changed in its times and in its fields; one is translated, added, removed and moved. */
function usualBuilds({ views }: SiteModel, ids: readonly number[]): number {
  return ids.length === 0 ? 0 : ids.length * 2 + (views.length - 1) + 3;
}

/** Why there is nothing to compare; `undefined` if there is. */
function whyNothing({ pages }: Build, models: readonly SiteModel[]): string | undefined {
  if (models.length === 0) return 'The site has no collections that astro-luid loads.';
  if (pages.size > 0) return undefined;
  return 'Astro stored no page for the next build: no route returns a cacheKey, or build.concurrency is above 1.';
}

class Audit {
  readonly notes: string[] = [];
  readonly #builder: Builder;
  readonly #base: Build;
  readonly #masks: Masks;
  readonly #onStep: (step: string) => void;
  readonly #markers = new Markers();
  readonly #findings: Finding[] = [];
  /** The models that the key of a page depends on in any way. */
  readonly #depends = new Map<string, Set<string>>();
  /** Pages that were seen to be restored by an incremental build. */
  readonly #restored = new Set<string>();
  /** Pages that can be compared. */
  readonly #pages: readonly BuiltPage[];
  #shown: ShownBy = new Map();

  constructor(builder: Builder, first: Build, base: Build, onStep: (step: string) => void) {
    this.#builder = builder;
    this.#base = base;
    this.#onStep = onStep;
    this.#masks = findMasks(first.pages, base.pages);
    const { masked, incomparable } = this.#masks;
    const all = [...base.pages.values()];
    const isStable = ({ path, key }: BuiltPage) => first.pages.get(path)?.key === key;
    this.#pages = all.filter((page) => isStable(page) && !incomparable.has(page.path));
    const unstable = all.filter((page) => !isStable(page));
    this.#note(
      unstable.map(({ path }) => path),
      'a key that differs in every build, so that they are always rendered',
    );
    this.#note(
      [...incomparable],
      'so many differences between two builds of the same content that they are not compared',
    );
    const [[path = '', token = ''] = []] = masked;
    this.#note(
      [...masked.keys()],
      `places that differ between two builds of the same content, which are ignored; on ${printable(path)}: ${printable(JSON.stringify(token), 80)}`,
    );
  }

  #note([path, ...others]: readonly string[], what: string): void {
    if (path === undefined) return;
    const pages =
      others.length === 0
        ? `${printable(path)} has`
        : `${others.length + 1} pages such as ${printable(path)} have`;
    this.notes.push(`${pages} ${what}.`);
  }

  /** Finds out which page shows what, in one build. */
  async surveyPages(models: readonly SiteModel[]): Promise<void> {
    this.#onStep('full build with all texts marked, to see which page shows what');
    try {
      const { pages } = await this.#builder.build({ changes: markEverything(models, this.#markers) });
      this.#shown = findShown(pages, this.#markers);
    } catch (error) {
      if (!(error instanceof BuildError)) throw error;
      this.notes.push('The site cannot be built with other texts, so only one item per model was changed.');
    }
  }

  /** The items to change: pages of all routes show them. */
  itemsOf(model: SiteModel): readonly number[] {
    return representativeItems(model, this.#base.pages, this.#shown);
  }

  async auditModel(model: SiteModel, ids: readonly number[]): Promise<void> {
    for (const id of ids) await this.#auditItem(model, id);
    const [id] = ids;
    if (id !== undefined) await this.#auditMembers(model, id);
  }

  /** Changes an item: nothing but its times, all that is shown, and then field by field where a key has some of them. */
  async #auditItem(model: SiteModel, id: number): Promise<void> {
    const view = model.views.find(({ items }) => items.has(id));
    const item = view?.items.get(id);
    if (!view || !item) return;
    const common = { model, item, change: 'changed' } as const;
    const altered = (choice: FieldChoice) =>
      onlyIn(view, alterItem(model, view, item, choice, this.#markerOf(model)));
    const touched = await this.#run({
      ...common,
      fields: ['_updated_at'],
      missing: 'fields',
      changes: onlyIn(view, touch(item)),
    });
    const isKnown = [...this.#shown.values()].flat().some((one) => one.model === model);
    const showsItem = (place: Marked) => place.model === model && place.view === view && place.id === id;
    const unproven = this.#pages.filter(({ path }) => !touched.has(path));
    if (isKnown && !unproven.some(({ path }) => this.#shown.get(path)?.some(showsItem))) return;

    const all = await this.#run({ ...common, missing: 'entry', changes: altered('shown') });
    const partial = this.#pages.filter(({ path }) => all.has(path) && !touched.has(path));
    if (partial.length === 0) {
      const changes = altered('identifiers');
      const fields = changedFields(changes, item);
      if (fields.length > 0)
        await this.#run({ ...common, change: 'renamed', fields, missing: 'entry', changes });
      return;
    }
    for (const field of Object.keys(model.fields)) {
      const changes = altered({ field });
      if (!mayShow(this.#shown, partial, { model, view, field })) continue;
      if (changedFields(changes, item).length === 0) continue;
      await this.#run({ ...common, fields: [field], missing: 'fields', changes });
    }
  }

  /** Changes an item in one of the other languages only; adds one, removes one, and exchanges two. */
  async #auditMembers(model: SiteModel, id: number): Promise<void> {
    const markerOf = this.#markerOf(model);
    const item = model.views.find(({ items }) => items.has(id))?.items.get(id) as WireContent;
    const common = { model, item };
    for (const view of model.views.slice(1)) {
      const translated = view.items.get(id);
      if (!translated || view.lang === null) continue;
      const changes = onlyIn(view, alterItem(model, view, translated, 'shown', markerOf));
      await this.#run({ ...common, change: 'translated', lang: view.lang, missing: 'language', changes });
    }
    const copy = addCopy(model, id, markerOf);
    await this.#run({ ...common, change: 'added', missing: 'members', changes: copy });
    const removal = inEveryLanguage(model, id, () => ({ remove: [id] }));
    await this.#run({ ...common, change: 'removed', missing: 'members', changes: removal });
    const other = neighbourOf(model, id, this.#shown, (one) => timesDiffer(model, id, one));
    if (other === undefined) return;
    const changes = exchangeTimes(model, id, other);
    await this.#run({ ...common, change: 'reordered', missing: 'order', changes });
  }

  #markerOf(model: SiteModel): MarkerOf {
    return (...place) => this.#markers.of(model, ...place);
  }

  /**
   * Builds with a change, in full and, if a page might stay old, incrementally. Returns the paths of the pages whose key
   * is another; none if the site cannot be built with the change.
   */
  async #run(round: Round): Promise<ReadonlySet<string>> {
    const { changes, model } = round;
    const label = describeRound(round);
    this.#onStep(label);
    const noticed = new Set<string>();
    try {
      const full = await this.#builder.build({ changes });
      const suspects: BuiltPage[] = [];
      for (const page of this.#pages) {
        const now = full.pages.get(page.path);
        if (!now) continue;
        if (now.key === page.key) {
          if (this.#masks.normalize(now) !== this.#masks.normalize(page)) suspects.push(now);
          continue;
        }
        noticed.add(page.path);
        this.#depends.set(page.path, (this.#depends.get(page.path) ?? new Set()).add(model.model));
      }
      for (const page of await this.#confirm(suspects, round)) this.#report(page, round);
    } catch (error) {
      if (!(error instanceof BuildError)) throw error;
      this.notes.push(`Not compared, because the build fails with it: ${label}. ${error.reason}`);
    }
    return noticed;
  }

  /**
   * The pages that an incremental build leaves as they were. That it restores a page with the same key is seen once per
   * page, not for every change.
   */
  async #confirm(suspects: readonly BuiltPage[], { changes }: Round): Promise<readonly BuiltPage[]> {
    if (suspects.every(({ path }) => this.#restored.has(path))) return suspects;
    this.#onStep('the same change, incremental build');
    const { pages } = await this.#builder.build({ changes, incremental: true });
    const stale = suspects.filter((page) => {
      const restored = pages.get(page.path);
      return restored && this.#masks.normalize(restored) !== this.#masks.normalize(page);
    });
    for (const { path } of stale) this.#restored.add(path);
    return stale;
  }

  #report({ path, component, html }: BuiltPage, round: Round): void {
    const { change, model, item, lang, missing } = round;
    const before = new Set(this.#markers.in(this.#base.pages.get(path)?.html ?? ''));
    const marked = this.#markers.in(html).filter((place) => place.model === model && !before.has(place));
    const shown = [...new Set(marked.map(({ field }) => field))];
    this.#findings.push({
      page: path,
      route: component,
      change,
      model: model.model,
      collections: model.collections,
      id: item._id,
      title: item._title,
      lang,
      fields: round.fields ?? shown,
      missing,
    });
  }

  /** Known only at the end: whether a key depends on anything else of a collection. */
  findings(): Finding[] {
    return mergeFindings(this.#findings, this.#depends);
  }
}
