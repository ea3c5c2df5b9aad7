import { LuidConfigError } from '../../shared/errors.ts';
import type { Values } from '../fields/field-behaviour.ts';
import { formatInstant } from '../fields/instants.ts';
import type { Item } from '../state/item.ts';
import { getOwn } from '../state/own-property.ts';
import type { NewContent, SeedContent, SeedFields } from '../state/seed-types.ts';
import { copyAsDraft, withDraft, withPublished } from '../write/transitions.ts';
import type { ControlContext } from './control-context.ts';

interface LanguageOptions {
  /** Default: the main language. */
  readonly lang?: string | undefined;
}

/** Changes content as editors do, without requests. */
export class ContentsControl {
  readonly #context: ControlContext;

  constructor(context: ControlContext) {
    this.#context = context;
  }

  /** A copy of an item in the format of a seed. */
  get(id: number): SeedContent {
    return this.#context.converter.toSeedContent(this.#item(id));
  }

  /** Creates an item and returns its id. `published_at` defaults to the creation time if there is published data. */
  create(content: NewContent): number {
    const { state, converter, storedNow } = this.#context;
    const now = formatInstant(storedNow());
    const id = content.id ?? state.allocateId('content');
    if (state.items.has(id)) {
      const hint = 'Omit the id to get a free one.';
      throw new LuidConfigError(`contents.create: content ${id} already exists`, { id, hint });
    }
    const published_at = content.published_at ?? (content.published ? (content.created_at ?? now) : null);
    this.#put(converter.parseContent({ created_at: now, ...content, id, published_at }, 'contents.create'));
    return id;
  }

  /** Changes fields of the published data; of the draft, if the item is not published. */
  edit(id: number, fields: SeedFields, options: LanguageOptions = {}): void {
    const item = this.#item(id);
    if (!item.published) {
      this.saveDraft(id, fields, options);
      return;
    }
    const lang = this.#lang(options);
    const merged = this.#merge(item, getOwn(item.published, lang), fields);
    const published = { ...item.published, [lang]: merged };
    this.#put(withPublished(item, published, item.draft, this.#context.storedNow()));
  }

  /** Changes fields of the draft in one language. A new draft starts as a copy of the published data. */
  saveDraft(id: number, fields: SeedFields, options: LanguageOptions = {}): void {
    const { storedNow, assumptions } = this.#context;
    const item = this.#item(id);
    const lang = this.#lang(options);
    const merged = this.#merge(item, getOwn(item.draft, lang) ?? getOwn(item.published, lang), fields);
    const draft = { ...item.draft, [lang]: merged };
    this.#put(withDraft(item, draft, storedNow(), assumptions().draftTouchesUpdatedAt));
  }

  /** Makes the draft of each language its published data. */
  publish(id: number): void {
    const item = this.#item(id);
    const now = this.#context.storedNow();
    this.#put({
      ...item,
      published: { ...item.published, ...item.draft },
      draft: undefined,
      updatedAtBeforeDraft: undefined,
      publishedAt: item.publishedAt ?? now,
      lastPublishedAt: now,
      updatedAt: this.#context.assumptions().publishTouchesUpdatedAt ? now : item.updatedAt,
    });
  }

  /** Makes the published data of each language its draft, unless it has one. Publication times stay (§3). */
  unpublish(id: number): void {
    const { storedNow, assumptions } = this.#context;
    const item = this.#item(id);
    if (!item.published) throw createError(id, 'unpublish', 'it is not published');
    this.#put({
      ...item,
      published: undefined,
      draft: { ...item.published, ...item.draft },
      updatedAtBeforeDraft: undefined,
      updatedAt: assumptions().unpublishTouchesUpdatedAt ? storedNow() : item.updatedAt,
    });
  }

  discardDraft(id: number): void {
    const { storedNow, assumptions } = this.#context;
    const item = this.#item(id);
    if (!item.draft) throw createError(id, 'discardDraft', 'it has no draft');
    if (!item.published)
      throw createError(id, 'discardDraft', 'it has no published data; use remove instead');
    const before = item.updatedAtBeforeDraft ?? item.lastPublishedAt ?? item.updatedAt;
    const times = { restore: before, now: storedNow(), keep: item.updatedAt };
    const updatedAt = times[assumptions().discardUpdatedAt];
    this.#put({ ...item, draft: undefined, updatedAtBeforeDraft: undefined, updatedAt });
  }

  archive(id: number): void {
    this.#setArchived(id, true, this.#context.assumptions().archiveTouchesUpdatedAt);
  }

  restore(id: number): void {
    this.#setArchived(id, false, this.#context.assumptions().restoreTouchesUpdatedAt);
  }

  /** Creates a draft with the data of an item and returns its id (§3). */
  duplicate(id: number): number {
    const copy = copyAsDraft(
      this.#item(id),
      this.#context.state.allocateId('content'),
      this.#context.storedNow(),
    );
    this.#put(copy);
    return copy.id;
  }

  /** Deletes an item permanently. */
  remove(id: number): void {
    this.#item(id);
    this.#context.state.remove(id);
    this.#context.onChange();
  }

  #setArchived(id: number, archived: boolean, touches: boolean): void {
    const item = this.#item(id);
    this.#put({ ...item, archived, updatedAt: touches ? this.#context.storedNow() : item.updatedAt });
  }

  #merge({ id, model }: Item, values: Values | undefined, changes: SeedFields): Values {
    const { state, converter } = this.#context;
    return converter.mergeFields(values, state.fields(model) ?? {}, changes, `content ${id}`);
  }

  #lang({ lang }: LanguageOptions): string {
    const { main, sub } = this.#context.state.languages;
    if (lang === undefined || lang === main || sub.includes(lang)) return lang ?? main;
    throw new LuidConfigError(`${JSON.stringify(lang)} is not a language of this space`, {
      hint: `Use one of ${[main, ...sub].join(', ')}.`,
    });
  }

  #item(id: number): Item {
    const item = this.#context.state.items.get(id);
    if (item) return item;
    const hint = 'Create it first, or use another id.';
    throw new LuidConfigError(`Content ${id} does not exist`, { id, hint });
  }

  #put(item: Item): void {
    this.#context.state.put(item);
    this.#context.onChange();
  }
}

function createError(id: number, action: string, reason: string): LuidConfigError {
  return new LuidConfigError(`contents.${action}(${id}): ${reason}`, { id });
}
