import { LuidConfigError } from '../../errors.ts';
import type { Assumptions } from '../assumptions.ts';
import { showInstant } from '../fields/instants.ts';
import type { Intaker } from '../state/intake.ts';
import type { Item, LangData } from '../state/item.ts';
import { own } from '../state/own.ts';
import type { NewContent, SeedContent, SeedFields } from '../state/seed.ts';
import type { State } from '../state/state.ts';
import { withDraft, withPublished } from '../write/transitions.ts';

/** What the hands of the emulator work on. */
export interface Workbench {
  readonly state: State;
  readonly intaker: Intaker;
  readonly assumptions: () => Assumptions;
  /** The time that is stored for what happens now. */
  readonly stamp: () => number;
  /** Says that readers may see something else from now on, and whether that purges the CDN. */
  readonly changed: (purges?: boolean) => void;
}

interface InLanguage {
  /** Default: the main language. */
  readonly lang?: string | undefined;
}

/** What editors do to content, without requests. */
export class ContentsControl {
  readonly #bench: Workbench;

  constructor(bench: Workbench) {
    this.#bench = bench;
  }

  /** A copy of an item in the shape of a seed. */
  get(id: number): SeedContent {
    return this.#bench.intaker.giveContent(this.#item(id));
  }

  /** Adds an item and answers its id. What has published data is published now, unless it says when. */
  create(content: NewContent): number {
    const { state, intaker, stamp } = this.#bench;
    const now = showInstant(stamp());
    const id = content.id ?? state.claimId('content');
    if (state.items.has(id)) {
      throw new LuidConfigError(`contents.create: there is a content ${id} already`, {
        id,
        hint: 'Leave the id out to get a free one.',
      });
    }
    const published_at = content.published_at ?? (content.published ? (content.created_at ?? now) : null);
    this.#put(intaker.content({ created_at: now, ...content, id, published_at }, 'contents.create'));
    return id;
  }

  /** Changes fields of published data, published at once; of the draft, if nothing is published. */
  edit(id: number, fields: SeedFields, options: InLanguage = {}): void {
    const item = this.#item(id);
    if (!item.published) {
      this.saveDraft(id, fields, options);
      return;
    }
    const published = this.#merged(
      item,
      item.published,
      own(item.published, this.#lang(options)),
      fields,
      options,
    );
    this.#put(withPublished(item, published, item.draft, this.#bench.stamp()));
  }

  /** Changes fields of the draft in one language, which starts as what is published. */
  saveDraft(id: number, fields: SeedFields, options: InLanguage = {}): void {
    const item = this.#item(id);
    const lang = this.#lang(options);
    const draft = this.#merged(
      item,
      item.draft,
      own(item.draft, lang) ?? own(item.published, lang),
      fields,
      options,
    );
    this.#put(withDraft(item, draft, this.#bench.stamp(), this.#bench.assumptions().draftTouchesUpdatedAt));
  }

  /** Drafts become the published data of their languages. */
  publish(id: number): void {
    const item = this.#item(id);
    const now = this.#bench.stamp();
    this.#put({
      ...item,
      published: { ...item.published, ...item.draft },
      draft: undefined,
      settledAt: undefined,
      publishedAt: item.publishedAt ?? now,
      lastPublishedAt: now,
      updatedAt: this.#bench.assumptions().publishTouchesUpdatedAt ? now : item.updatedAt,
    });
  }

  /** Published data becomes a draft, where there is none yet. The times of publication stay (§3). */
  unpublish(id: number): void {
    const item = this.#item(id);
    if (!item.published) throw cannot(id, 'unpublish', 'it is not published');
    this.#put({
      ...item,
      published: undefined,
      draft: { ...item.published, ...item.draft },
      settledAt: undefined,
      updatedAt: this.#bench.assumptions().unpublishTouchesUpdatedAt ? this.#bench.stamp() : item.updatedAt,
    });
  }

  discardDraft(id: number): void {
    const item = this.#item(id);
    if (!item.draft) throw cannot(id, 'discardDraft', 'it has no draft');
    if (!item.published) throw cannot(id, 'discardDraft', 'nothing else is there; use remove');
    const { discardUpdatedAt } = this.#bench.assumptions();
    const before = item.settledAt ?? item.lastPublishedAt ?? item.updatedAt;
    const updatedAt = { restore: before, now: this.#bench.stamp(), keep: item.updatedAt }[discardUpdatedAt];
    this.#put({ ...item, draft: undefined, settledAt: undefined, updatedAt });
  }

  archive(id: number): void {
    this.#setArchived(id, true, this.#bench.assumptions().archiveTouchesUpdatedAt);
  }

  restore(id: number): void {
    this.#setArchived(id, false, this.#bench.assumptions().restoreTouchesUpdatedAt);
  }

  /** Deletes an item for good. */
  remove(id: number): void {
    this.#item(id);
    this.#bench.state.remove(id);
    this.#bench.changed();
  }

  #setArchived(id: number, archived: boolean, touches: boolean): void {
    const item = this.#item(id);
    this.#put({ ...item, archived, updatedAt: touches ? this.#bench.stamp() : item.updatedAt });
  }

  #merged(
    item: Item,
    data: LangData | undefined,
    values: LangData[string] | undefined,
    fields: SeedFields,
    options: InLanguage,
  ): LangData {
    const { state, intaker } = this.#bench;
    const merged = intaker.merge(values, state.fields(item.model) ?? {}, fields, `content ${item.id}`);
    return { ...data, [this.#lang(options)]: merged };
  }

  #lang({ lang }: InLanguage): string {
    const { main, sub } = this.#bench.state.languages;
    if (lang === undefined || lang === main || sub.includes(lang)) return lang ?? main;
    throw new LuidConfigError(`${JSON.stringify(lang)} is no language of this space`, {
      hint: `Use one of ${[main, ...sub].join(', ')}.`,
    });
  }

  #item(id: number): Item {
    const item = this.#bench.state.items.get(id);
    if (item) return item;
    throw new LuidConfigError(`There is no content ${id}`, {
      id,
      hint: 'Create it first, or use another id.',
    });
  }

  #put(item: Item): void {
    this.#bench.state.put(item);
    this.#bench.changed();
  }
}

function cannot(id: number, action: string, reason: string): LuidConfigError {
  return new LuidConfigError(`contents.${action}(${id}): ${reason}`, { id });
}
