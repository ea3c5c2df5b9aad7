import type { Emulator, SeedContent, SeedFields } from '../../src/emulator/index.ts';
import type { UnreportedChanges } from './allowed-differences.ts';
import { LINKS, linksTo, MEDIA, MODEL_NAMES, type ModelName, SERVICE_MODELS, titleField } from './models.ts';
import { FEW_COUNT, LANGUAGES, type StartingSpace } from './seed.ts';
import type { Edit } from './steps.ts';

/** So many of the items that were created last are edited as often as the few. */
const NEWEST = 3;

/** Carries out edits at the service, and notes which of them no time reveals. */
export class Editor {
  readonly #service: Emulator;
  readonly #unreported: UnreportedChanges;
  readonly #ids: number[];
  readonly #subSpaces: boolean;
  readonly #created: number[] = [];
  readonly #models = new Map<number, string>();
  readonly #spaces = new Map<number, string>();
  /** Items that the key for published content could not see once. */
  readonly #hidden = new Set<number>();
  readonly #deletedWithoutMain = new Set<number>();
  /** When something changed last. */
  changedAt = Number.NEGATIVE_INFINITY;

  constructor(service: Emulator, unreported: UnreportedChanges, { size, subSpaces }: StartingSpace) {
    this.#service = service;
    this.#unreported = unreported;
    this.#subSpaces = subSpaces;
    this.#ids = Array.from({ length: size }, (_, index) => index + 1);
    for (const id of this.#ids) {
      this.#models.set(id, this.#get(id)?.model ?? '');
      this.#spaces.set(id, this.#get(id)?.space ?? '_parent');
      if (!this.isVisible(id, false)) this.#hidden.add(id);
    }
  }

  /** Returns what was done, or `undefined` if it cannot be done to this item. */
  async edit(edit: Edit): Promise<string | undefined> {
    const done = await this.#carryOut(edit);
    if (done !== undefined) this.changedAt = this.#service.clock.now();
    return done;
  }

  /**
   * Edits so many items of a model that refer to nothing: as the newest of all they hide what was newest before,
   * and show nothing of what happens to others.
   */
  editMany(model: ModelName, count: number): void {
    const isFit = (id: number) => this.#get(id)?.model === model && !this.#refers(id);
    const ids = this.#ids.filter(isFit).slice(-count);
    for (const [index, id] of ids.entries()) {
      // Not all in one second, which would be read again as a whole.
      if (index % 40 === 39) this.#service.clock.advance(1000);
      const item = this.#get(id);
      if (item?.published && !item.archived) this.#write(item, { [titleField(model)]: `again ${id}` }, 'ja');
    }
    this.changedAt = this.#service.clock.now();
  }

  /** Archives the newest items of a model: so many that what is left may be read in another way. */
  archiveMany(model: ModelName, count: number): void {
    const ids = this.#ids.filter((id) => this.#get(id)?.model === model).slice(-count);
    for (const id of ids) {
      const item = this.#get(id);
      if (item && isPossible('archive', item)) this.#changeState('archive', item);
    }
    this.changedAt = this.#service.clock.now();
  }

  isVisible(id: number, drafts: boolean): boolean {
    const item = this.#get(id);
    return item !== undefined && !item.archived && (item.published !== undefined || (drafts && !!item.draft));
  }

  wasHidden(id: number): boolean {
    return this.#hidden.has(id);
  }

  /** Whether it has data in the main language; of deleted content, whether it had. */
  isInMain(id: number): boolean {
    return this.#get(id) ? this.#hasMain(id) : !this.#deletedWithoutMain.has(id);
  }

  #hasMain(id: number): boolean {
    const { published = {}, draft = {} } = this.#get(id) ?? {};
    return Object.hasOwn(published, LANGUAGES.main) || Object.hasOwn(draft, LANGUAGES.main);
  }

  /** Content is not moved to other spaces. */
  spaceOf(id: number): string {
    return this.#spaces.get(id) ?? '_parent';
  }

  /** Also of content that was deleted. */
  modelOf(id: number): string | undefined {
    return this.#models.get(id);
  }

  #refers(id: number): boolean {
    const { published = {}, draft = {} } = this.#get(id) ?? {};
    const fields = [...Object.values(published), ...Object.values(draft)].flatMap((data) =>
      Object.keys(data),
    );
    return fields.some((luid) => LINKS.includes(luid));
  }

  async #carryOut(edit: Edit): Promise<string | undefined> {
    const { kind, text } = edit;
    if (kind.startsWith('create')) return this.#create(edit);
    if (kind.endsWith('alt') || kind.endsWith('media')) return this.#editMedia(edit);
    const item = this.#find(edit.item, (one) => isPossible(kind, one));
    if (!item) return undefined;
    const model = item.model as ModelName;
    const title = { [titleField(model)]: text };
    switch (kind) {
      case 'edit':
        return this.#write(item, { ...title, ...this.#plainFields(edit, model) }, 'ja');
      case 'edit in English':
        return this.#write(item, title, 'en');
      case 'edit in French':
        return this.#write(item, title, 'fr');
      case 'save draft':
        return this.#saveDraft(item, title);
      case 'link':
        return this.#link(edit, item, (links) => this.#write(item, links, 'ja'));
      case 'link in one place':
        return this.#link(edit, item, (links) => this.#write(item, links, 'ja'), edit.target);
      case 'link in English only':
        return this.#link(edit, item, (links) => this.#write(item, links, 'en'));
      case 'link by draft':
        return this.#link(edit, item, (links) => this.#saveDraft(item, links));
      case 'remove English':
        return this.#replaceWithout(item, 'en');
      case 'remove Japanese':
        return this.#replaceWithout(item, 'ja');
      default:
        return this.#changeState(kind, item);
    }
  }

  #changeState(kind: Edit['kind'], item: SeedContent): string | undefined {
    const { contents, assumptions } = this.#service;
    const { id } = item;
    const actions: Partial<Record<Edit['kind'], () => void>> = {
      publish: () => {
        contents.publish(id);
        this.#unreported.reported(id);
      },
      unpublish: () => {
        contents.unpublish(id);
        this.#note('disappeared', id);
        this.#noteUnless(assumptions.unpublishTouchesUpdatedAt, 'status', id);
      },
      'discard draft': () => {
        contents.discardDraft(id);
        this.#noteDraft(item, assumptions.discardUpdatedAt === 'now');
      },
      archive: () => {
        contents.archive(id);
        this.#note('disappeared', id);
      },
      restore: () => {
        contents.restore(id);
        if (!assumptions.restoreTouchesUpdatedAt) this.#note('restored', id);
      },
      delete: () => {
        contents.remove(id);
        this.#note('disappeared', id);
      },
    };
    if (kind === 'delete' && !this.#hasMain(id)) this.#deletedWithoutMain.add(id);
    actions[kind]?.();
    if (!this.isVisible(id, false)) this.#hidden.add(id);
    return `${kind} ${nameOf(item)}`;
  }

  #create({ kind, item, target, text }: Edit): string {
    const model = MODEL_NAMES[item % MODEL_NAMES.length] as ModelName;
    const fields = { [titleField(model)]: text, ...(target % 2 === 0 ? this.#linksOf(model, target) : {}) };
    const data = kind === 'create in English only' ? { en: fields } : { ja: fields };
    const content = kind === 'create draft' ? { draft: data } : { published: data };
    const inSpace = this.#subSpaces && target % 3 === 0 ? { space: 'shop' } : {};
    const id = this.#service.contents.create({ model, ...inSpace, ...content });
    this.#ids.push(id);
    this.#created.push(id);
    this.#models.set(id, model);
    this.#spaces.set(id, inSpace.space ?? '_parent');
    if (!this.isVisible(id, false)) this.#hidden.add(id);
    return `${kind} ${model} ${id}`;
  }

  #editMedia({ kind, item, text }: Edit): string | undefined {
    const { media, assumptions } = this.#service;
    const id = MEDIA[item % MEDIA.length] as number;
    if (kind === 'change alt') {
      media.setAlt(id, text, item % 2 === 0 ? {} : { lang: 'en' });
      this.#noteUnless(assumptions.altTouchesUpdatedAt, 'media', id);
    } else {
      if (kind === 'archive media') media.archive(id);
      else media.restore(id);
      this.#note('media', id);
    }
    return `${kind} ${id}`;
  }

  /** Changes published data in a language, or the draft where nothing is published. */
  #write(item: SeedContent, fields: SeedFields, lang: string): string {
    this.#service.contents.edit(item.id, fields, { lang });
    if (item.published) this.#unreported.reported(item.id);
    else this.#noteDraft(item, this.#service.assumptions.draftTouchesUpdatedAt);
    return `edit ${nameOf(item)} in ${lang}`;
  }

  #saveDraft(item: SeedContent, fields: SeedFields): string {
    this.#service.contents.saveDraft(item.id, fields);
    this.#noteDraft(item, this.#service.assumptions.draftTouchesUpdatedAt);
    return `save draft of ${nameOf(item)}`;
  }

  /** Notes that the draft of an item is another one than before. */
  #noteDraft(before: SeedContent, isReported: boolean): void {
    const { id } = before;
    this.#noteUnless(isReported, 'status', id);
    if (isReported) return;
    const [had, has] = [langsOf(before), langsOf(this.#service.contents.get(id))];
    if (has.some((lang) => !had.includes(lang))) this.#note('translated by a draft', id);
    if (had.some((lang) => !has.includes(lang))) this.#note('untranslated by a draft', id);
  }

  #link(
    edit: Edit,
    item: SeedContent,
    write: (links: SeedFields) => string,
    slot?: number,
  ): string | undefined {
    const links = this.#linksOf(item.model as ModelName, edit.target, slot);
    if (Object.keys(links).length === 0) return undefined;
    return `${write(links)} to ${JSON.stringify(links)}`;
  }

  #linksOf(model: ModelName, target: number, slot?: number): SeedFields {
    const found = this.#find(target, () => true);
    return found ? linksTo(model, found.id, found.model as ModelName, slot) : {};
  }

  /** §4.4: what is not in the request is not there afterwards, whole languages included. */
  async #replaceWithout(item: SeedContent, lang: string): Promise<string | undefined> {
    const rest = Object.entries(item.published ?? {}).filter(([key]) => key !== lang);
    const body = Object.fromEntries(
      rest.map(([key, fields]) => [key === 'ja' ? 'fields' : `fields[${key}]`, writable(item.model, fields)]),
    );
    const space = item.space && item.space !== '_parent' ? `&space=${item.space}` : '';
    const url = `${this.#service.baseUrl}/contents/${item.id}?model=${item.model}&published=true${space}`;
    const response = await this.#service.fetch(url, {
      method: 'PUT',
      headers: { 'X-SERVICE-API-KEY': 'drafts', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    // What it refers to may be archived by now, which cannot be written again.
    if (!response.ok) return undefined;
    this.#unreported.reported(item.id);
    // Its new time shows in the other languages only.
    this.#note('disappeared in a language', item.id);
    return `replace ${nameOf(item)} without ${lang}`;
  }

  #plainFields({ item, target }: Edit, model: ModelName): SeedFields {
    if (model === 'article')
      return { cover: MEDIA[target % 3], body: `<p>${target}</p>`, featured: item % 2 === 0 };
    if (model === 'note') return { body: `<p>${target} <i>x</i></p>` };
    return {};
  }

  /** An item that this can be done to: mostly one of the few that much happens to, so that changes meet. */
  #find(n: number, isFit: (item: SeedContent) => boolean): SeedContent | undefined {
    const few = [...this.#ids.slice(0, FEW_COUNT), ...this.#created.slice(-NEWEST)];
    const [among, start] = [n % 4, Math.floor(n / 4)];
    return (among === 3 ? undefined : this.#among(few, start, isFit)) ?? this.#among(this.#ids, start, isFit);
  }

  /** The first that fits, from the n-th on. */
  #among(ids: readonly number[], n: number, isFit: (item: SeedContent) => boolean): SeedContent | undefined {
    for (let index = 0; index < Math.min(ids.length, 30); index++) {
      const item = this.#get(ids[(n + index) % ids.length] as number);
      if (item && isFit(item)) return item;
    }
    return undefined;
  }

  #get(id: number): SeedContent | undefined {
    try {
      return this.#service.contents.get(id);
    } catch {
      return undefined;
    }
  }

  #note(kind: Parameters<UnreportedChanges['add']>[0], id: number): void {
    this.#unreported.add(kind, id, this.#service.clock.now());
  }

  #noteUnless(isReported: boolean, kind: Parameters<UnreportedChanges['add']>[0], id: number): void {
    if (!isReported) this.#note(kind, id);
    else if (kind !== 'media') this.#unreported.reported(id);
  }
}

/** §4.10: multi-select values cannot be written. */
function writable(model: string, fields: SeedFields): SeedFields {
  const known = SERVICE_MODELS[model as ModelName] as Record<string, { type: string }>;
  return Object.fromEntries(
    Object.entries(fields).filter(([luid, value]) => known[luid]?.type !== 'multi_select' && value !== null),
  );
}

function isPossible(kind: Edit['kind'], { archived, published, draft }: SeedContent): boolean {
  if (archived || kind === 'restore') return archived === true && kind === 'restore';
  const languages = Object.keys(published ?? {});
  switch (kind) {
    case 'publish':
      return draft !== undefined;
    case 'unpublish':
      return published !== undefined;
    case 'discard draft':
      return draft !== undefined && published !== undefined;
    case 'remove English':
      return languages.length > 1 && languages.includes('en');
    case 'remove Japanese':
      return languages.length > 1 && languages.includes('ja');
    default:
      return true;
  }
}

function nameOf({ model, id }: SeedContent): string {
  return `${model} ${id}`;
}

/** The languages that a key for drafts shows. */
function langsOf({ published = {}, draft = {} }: SeedContent): string[] {
  return Object.keys({ ...published, ...draft });
}
