import type { WireContent } from '../../contract/content.ts';
import { LuidConfigError } from '../../errors.ts';
import { printable } from '../../printable.ts';
import { didYouMean } from '../../suggest.ts';
import type { BuiltPage } from './built-pages.ts';
import {
  addCopy,
  alterItem,
  changedFields,
  exchangeTimes,
  type FieldChoice,
  inEveryLanguage,
  onlyIn,
  timesDiffer,
  touch,
} from './changes.ts';
import { type Finding, mergeFindings } from './findings.ts';
import { Markers } from './markers.ts';
import { findMasks, type Masks } from './masks.ts';
import { describeRound, type Round } from './round.ts';
import { type Build, BuildError, type Builder } from './run-build.ts';
import { type ModelView, readSiteContent, type SiteModel } from './site-content.ts';
import { findShown, markEverything, neighbourOf, representativeItems, type ShownBy } from './survey-pages.ts';

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
  readonly onStep: (step: string) => void;
}

/**
 * Builds a site with one change of its content after the other. A page stays old if its key is that of the build before,
 * although a full build renders it differently. Throws `BuildError` if the site cannot be built as it is.
 */
export async function auditSite(
  builder: Builder,
  { exchange, models: requested, onStep }: AuditOptions,
): Promise<AuditResult> {
  onStep('full build');
  const first = await builder.build({ isFirst: true });
  const models = readSiteContent(exchange);
  if (!first.incremental || first.pages.size === 0 || models.length === 0)
    return {
      incremental: first.incremental,
      pages: first.pages.size,
      findings: [],
      notes: emptyNotes(first, models),
    };
  const chosen = chooseModels(models, requested);
  onStep('the same again, to see what differs anyway');
  const base = await builder.build();
  builder.saveCache();
  const audit = new Audit(builder, first, base, onStep);
  await audit.surveyPages(models);
  for (const model of chosen) await audit.auditModel(model);
  return { incremental: true, pages: base.pages.size, findings: audit.findings(), notes: audit.notes };
}

function chooseModels(models: readonly SiteModel[], requested: readonly string[] | undefined) {
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

function emptyNotes({ incremental, pages }: Build, models: readonly SiteModel[]): string[] {
  if (models.length === 0 && incremental) return ['The site has no collections that astro-luid loads.'];
  return incremental && pages.size === 0
    ? [
        'Astro stored no page for the next build: no route returns a cacheKey, or build.concurrency is above 1.',
      ]
    : [];
}

interface RoundResult {
  /** Pages whose key is another. */
  readonly noticed: ReadonlySet<string>;
  readonly stale: ReadonlySet<string>;
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
    const unstable = [...base.pages.values()].filter(({ path, key }) => first.pages.get(path)?.key !== key);
    const skipped = new Set([...unstable.map(({ path }) => path), ...incomparable]);
    this.#pages = [...base.pages.values()].filter(({ path }) => !skipped.has(path));
    this.#note(
      unstable.map(({ path }) => path),
      'a key that differs in every build, so that they are always rendered',
    );
    this.#note(
      [...incomparable],
      'so many differences between two builds of the same content that they are not compared',
    );
    for (const [path, token] of [...masked].slice(0, 1)) {
      this.#note(
        [...masked.keys()],
        `places that differ between two builds of the same content, which are ignored; on ${printable(path)}: ${printable(JSON.stringify(token), 80)}`,
      );
    }
  }

  #note(paths: readonly string[], what: string): void {
    const [path] = paths;
    if (path === undefined) return;
    const pages =
      paths.length === 1 ? `${printable(path)} has` : `${paths.length} pages such as ${printable(path)} have`;
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

  async auditModel(model: SiteModel): Promise<void> {
    const ids = representativeItems(model, this.#base.pages, this.#shown);
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
    const touched = await this.#run({
      ...common,
      fields: ['_updated_at'],
      missing: 'fields',
      changes: onlyIn(view, touch(item)),
    });
    const isUnproven = (path: string) => !touched?.noticed.has(path) && this.#shows(path, model, view, id);
    const isKnown = [...this.#shown].some(([, places]) => places.some((one) => one.model === model));
    if (isKnown && !this.#pages.some(({ path }) => isUnproven(path))) return;

    const altered = (choice: FieldChoice) =>
      onlyIn(
        view,
        alterItem(model, view, item, choice, (...place) => this.#markers.of(model, ...place)),
      );
    const all = await this.#run({ ...common, missing: 'entry', changes: altered('shown') });
    const partial = this.#pages.filter(({ path }) => all?.noticed.has(path) && !touched?.noticed.has(path));
    if (partial.length > 0) {
      for (const field of Object.keys(model.fields)) {
        if (!this.#mayShow(partial, model, view, field)) continue;
        const changes = altered({ field });
        if (changedFields(changes, item).length === 0) continue;
        await this.#run({ ...common, fields: [field], missing: 'fields', changes });
      }
    } else {
      const changes = altered('identifiers');
      const fields = changedFields(changes, item);
      if (fields.length > 0)
        await this.#run({ ...common, change: 'renamed', fields, missing: 'entry', changes });
    }
  }

  /** Changes an item in one of the other languages only; adds one, removes one, and exchanges two. */
  async #auditMembers(model: SiteModel, id: number): Promise<void> {
    const markerOf = (view: ModelView, of: number, field: string) => this.#markers.of(model, view, of, field);
    const item = model.views.find(({ items }) => items.has(id))?.items.get(id) as WireContent;
    const common = { model, item };
    for (const view of model.views.slice(1)) {
      const translated = view.items.get(id);
      if (!translated || view.lang === null) continue;
      const changes = onlyIn(view, alterItem(model, view, translated, 'shown', markerOf));
      await this.#run({ ...common, change: 'translated', lang: view.lang, missing: 'language', changes });
    }
    await this.#run({
      ...common,
      change: 'added',
      missing: 'members',
      changes: addCopy(model, id, markerOf),
    });
    const removal = inEveryLanguage(model, id, () => ({ remove: [id] }));
    await this.#run({ ...common, change: 'removed', missing: 'members', changes: removal });
    const other = neighbourOf(model, id, this.#shown, (one) => timesDiffer(model, id, one));
    if (other === undefined) return;
    const changes = exchangeTimes(model, id, other);
    await this.#run({ ...common, change: 'reordered', missing: 'order', changes });
  }

  /** Builds with a change, in full and, if a page might stay old, incrementally. `undefined` if that is impossible. */
  async #run(round: Round): Promise<RoundResult | undefined> {
    const { changes, model } = round;
    const label = describeRound(round);
    this.#onStep(label);
    try {
      const full = await this.#builder.build({ changes });
      const noticed = new Set<string>();
      const suspects: BuiltPage[] = [];
      for (const page of this.#pages) {
        const now = full.pages.get(page.path);
        if (!now) continue;
        if (now.key !== page.key) noticed.add(page.path);
        else if (this.#masks.normalize(now) !== this.#masks.normalize(page)) suspects.push(now);
      }
      for (const path of noticed)
        this.#depends.set(path, (this.#depends.get(path) ?? new Set()).add(model.model));
      const stale = suspects.length === 0 ? [] : await this.#confirm(suspects, round);
      for (const page of stale) this.#report(page, round);
      return { noticed, stale: new Set(stale.map(({ path }) => path)) };
    } catch (error) {
      if (!(error instanceof BuildError)) throw error;
      this.notes.push(`Not compared, because the build fails with it: ${label}. ${error.reason}`);
      return undefined;
    }
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
      ...(lang !== undefined && { lang }),
      fields: round.fields ?? shown,
      missing,
    });
  }

  /** Known only at the end: whether a key depends on anything else of a collection. */
  findings(): Finding[] {
    return mergeFindings(this.#findings, this.#depends);
  }

  #shows(path: string, model: SiteModel, view: ModelView, id: number): boolean {
    return (this.#shown.get(path) ?? []).some(
      (place) => place.model === model && place.view === view && place.id === id,
    );
  }

  /** Whether one of these pages shows a field; of fields without text that is not known. */
  #mayShow(pages: readonly BuiltPage[], model: SiteModel, view: ModelView, field: string): boolean {
    const places = [...this.#shown.values()].flat();
    const isMarked = places.some((one) => one.model === model && one.field === field);
    if (!isMarked) return true;
    return pages.some(({ path }) =>
      (this.#shown.get(path) ?? []).some(
        (one) => one.model === model && one.view === view && one.field === field,
      ),
    );
  }
}
