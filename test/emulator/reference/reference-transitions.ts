import { contentId, linksExist, MISSING, mediaId, valuesFor } from './links.ts';
import type { Command, Create, Duplicate, Edit, Languages, Write } from './random-command.ts';
import { own, type Seed, type SeedContent, type Values } from './reference-seed.ts';

/** What must come of a command: the answer to a request, or whether an editor can do it. */
export type Outcome = { status: 200; id: number | 'new' } | { status: 400 | 404 } | 'done' | 'impossible';

type Data = Record<string, Values>;
/**
 * The states of §3 with what the coverage table assumes, as plain as it can be: a seed that every
 * command changes. Reads are answered from it by `read.ts`.
 */
export class ReferenceSpace {
  readonly seed: Seed;
  /** Milliseconds. */
  clock = Date.parse('2026-02-01T00:00:00Z');
  /** `updated_at` of items with a draft beside published data, before there was that draft. */
  readonly #settled = new Map<number, string>();

  constructor(seed: Seed) {
    this.seed = structuredClone(seed);
  }

  /** Carries a command out, if it can be. `id` is the one that the service gave to what is new. */
  apply(command: Command, id: number | undefined): Outcome {
    switch (command.do) {
      case 'create':
        return this.#create(command, id ?? MISSING);
      case 'replace':
      case 'patch':
        return this.#write(command);
      case 'misname':
        return { status: this.#find(command.target) ? 400 : 404 };
      case 'duplicate':
        return this.#duplicate(command, id ?? MISSING);
      case 'upload':
        this.seed.media.push({ id: id ?? MISSING, file: 'new.txt', alt: { [command.lang]: command.alt } });
        return { status: 200, id: 'new' };
      case 'deleteMedia':
        return this.#deleteMedia(mediaId(this.seed, command.target));
      case 'archiveMedia':
      case 'restoreMedia':
        return this.#archiveMedia(mediaId(this.seed, command.target), command.do === 'archiveMedia');
      case 'wait':
        this.clock += command.ms;
        return 'done';
      default:
        return this.#edit(command);
    }
  }

  /** §4.3. */
  #create({ model, published, languages }: Create, id: number): Outcome {
    const given = this.#read(model, languages);
    if (!given) return { status: 400 };
    const now = this.#now();
    const item: SeedContent = { id, model, created_at: now, updated_at: now };
    const data = { ja: {}, ...given };
    if (published) this.#publish(item, data);
    else item.draft = data;
    this.seed.contents.push(item);
    return { status: 200, id: 'new' };
  }

  /** §4.4 and §4.5. */
  #write(command: Write): Outcome {
    const item = this.#find(command.target);
    if (!item) return { status: 404 };
    const given = this.#read(item.model, command.languages);
    if (!given) return { status: 400 };
    if (command.do === 'patch') {
      if (command.published) this.#patchPublished(item, given);
      else this.#patchDraft(item, given);
    } else if (command.published) {
      delete item.draft;
      this.#publish(item, given);
    } else {
      this.#saveDraft(item, given);
    }
    return { status: 200, id: item.id };
  }

  /** The draft of a language starts as what is published in it. */
  #patchDraft(item: SeedContent, given: Data): void {
    const draft = { ...item.draft };
    for (const [lang, values] of Object.entries(given)) {
      draft[lang] = { ...(own(item.draft, lang) ?? own(item.published, lang)), ...values };
    }
    this.#saveDraft(item, draft);
  }

  /** Where nothing is published yet, the drafts of the given languages are, with the changes. */
  #patchPublished(item: SeedContent, given: Data): void {
    const first = item.published === undefined;
    const published = { ...item.published };
    const draft = { ...item.draft };
    for (const [lang, values] of Object.entries(given)) {
      published[lang] = { ...own(first ? draft : published, lang), ...values };
      if (first) delete draft[lang];
    }
    if (Object.keys(draft).length > 0) item.draft = draft;
    else delete item.draft;
    this.#publish(item, published);
  }

  /** §4.6, §3: draft data in preference to published data. */
  #duplicate({ target, key }: Duplicate, id: number): Outcome {
    const source = this.#find(target);
    if (!source || (key === 'pub' && !source.published)) return { status: 404 };
    const now = this.#now();
    const draft = structuredClone({ ...source.published, ...source.draft });
    this.seed.contents.push({ id, model: source.model, created_at: now, updated_at: now, draft });
    return { status: 200, id: 'new' };
  }

  /** What editors do. They reach archived items too, and their links are not checked. */
  #edit(command: Edit): Outcome {
    const item = this.seed.contents.find(({ id }) => id === contentId(this.seed, command.target));
    if (!item) return 'impossible';
    switch (command.do) {
      case 'archive':
      case 'restore':
        item.archived = command.do === 'archive';
        return 'done';
      case 'publish': {
        const data = { ...item.published, ...item.draft };
        delete item.draft;
        this.#publish(item, data);
        return 'done';
      }
      case 'unpublish':
        if (!item.published) return 'impossible';
        item.draft = { ...item.published, ...item.draft };
        delete item.published;
        this.#settled.delete(item.id);
        item.updated_at = this.#now();
        return 'done';
      case 'discardDraft':
        if (!item.draft || !item.published) return 'impossible';
        delete item.draft;
        // When a draft of the seed began is not known: what was published last is older than it.
        item.updated_at = this.#settled.get(item.id) ?? item.last_published_at ?? item.updated_at;
        this.#settled.delete(item.id);
        return 'done';
      default: {
        const given = { [command.lang]: valuesFor(this.seed, item.model, command.values) };
        if (command.do === 'edit' && item.published) this.#patchPublished(item, given);
        else this.#patchDraft(item, given);
        return 'done';
      }
    }
  }

  #saveDraft(item: SeedContent, draft: Data): void {
    if (!item.draft) this.#settled.set(item.id, item.updated_at);
    item.draft = draft;
    item.updated_at = this.#now();
  }

  /** §3: `published_at` never changes once set. A draft that stays is from now on beside this. */
  #publish(item: SeedContent, published: Data): void {
    const now = this.#now();
    Object.assign(item, { published, last_published_at: now, updated_at: now });
    item.published_at ??= now;
    if (item.draft) this.#settled.set(item.id, now);
    else this.#settled.delete(item.id);
  }

  /** §4.8: gone for good. Archived media is not there to be deleted. */
  #deleteMedia(id: number): Outcome {
    const index = this.seed.media.findIndex((media) => media.id === id && !media.archived);
    if (index < 0) return { status: 404 };
    this.seed.media.splice(index, 1);
    return { status: 200, id };
  }

  #archiveMedia(id: number, archived: boolean): Outcome {
    const media = this.seed.media.find((candidate) => candidate.id === id);
    if (!media) return 'impossible';
    media.archived = archived;
    return 'done';
  }

  /** The item that a request names: one that is not archived. */
  #find(target: number): SeedContent | undefined {
    const wanted = contentId(this.seed, target);
    return this.seed.contents.find(({ id, archived }) => id === wanted && !archived);
  }

  /** The data of a request by language, or nothing if a link in it leads nowhere. */
  #read(model: string, languages: Languages): Data | undefined {
    const data = Object.entries(languages).map(
      ([lang, drawn]) => [lang, valuesFor(this.seed, model, drawn)] as const,
    );
    const fields = own(this.seed.models, model) ?? {};
    return data.every(([, values]) => linksExist(this.seed, fields, values))
      ? Object.fromEntries(data)
      : undefined;
  }

  /** To the second, as times are stored. */
  #now(): string {
    return `${new Date(this.clock).toISOString().slice(0, 19)}Z`;
  }
}
