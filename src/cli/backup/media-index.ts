import { decodePercent } from '../../shared/decode-percent.ts';
import { LuidConfigError } from '../../shared/errors.ts';

/** A media file of an export. */
export interface BackupMedia {
  /** Of the export: responses of the service contain no ids of media. */
  readonly id: number;
  /** The path of the file below the folder of the export: `media/ID/NAME`. */
  readonly file: string;
  /** Its URL, with `{assets_url}` for the base URL of media. */
  readonly url: string;
  /** Alternative texts by language. */
  readonly alt: { readonly [lang: string]: string };
  /** Absent without the file: `--no-media`, or it could not be downloaded. */
  readonly bytes?: number | undefined;
  readonly sha256?: string | undefined;
}

/** In flexible text and URLs, the base URL of media. The emulator replaces it by its own. */
export const ASSETS_URL = '{assets_url}';

/** The media that content shows, each with an id that stays the same from export to export. */
export class MediaIndex {
  readonly #assetsUrl: string | undefined;
  readonly #urlPattern: RegExp | undefined;
  readonly #known: ReadonlyMap<string, BackupMedia>;
  readonly #used = new Map<string, Omit<BackupMedia, 'alt'> & { readonly alt: Map<string, string> }>();
  #lastId: number;

  constructor(assetsUrl: string | undefined, known: readonly BackupMedia[] = []) {
    this.#assetsUrl = assetsUrl?.replace(/\/+$/, '');
    this.#urlPattern =
      this.#assetsUrl === undefined
        ? undefined
        : new RegExp(`${escapeForRegExp(this.#assetsUrl)}/[^\\s"'<>?#\\\\)]*[^\\s"'<>?#\\\\),.;]`, 'g');
    this.#known = new Map(known.map((media) => [media.url, media]));
    this.#lastId = Math.max(0, ...known.map(({ id }) => id));
  }

  /** How many were used. */
  get size(): number {
    return this.#used.size;
  }

  /** The id of the media at a URL. `alt` is its text in a language. */
  idOf(url: string, lang?: string, alt?: string | null): number {
    const media = this.#use(this.#toRelative(url));
    if (lang !== undefined && alt) media.alt.set(lang, alt);
    return media.id;
  }

  /** Flexible text with the URLs of an emulator that serves the export instead of the URLs of media. */
  toPortable(html: string): string {
    if (!this.#urlPattern) return html;
    const escaped = html.replaceAll(ASSETS_URL, ESCAPED);
    return escaped.replaceAll(this.#urlPattern, (url) => portableUrl(this.#use(this.#toRelative(url))));
  }

  /** What was used, by id. The alternative text of the main language is that of languages without one. */
  list(main: string): BackupMedia[] {
    return [...this.#used.values()]
      .sort((a, b) => a.id - b.id)
      .map(({ alt, ...media }) => {
        const own = [...alt].filter(([lang, text]) => lang === main || text !== alt.get(main));
        return { ...media, alt: Object.fromEntries(own.sort(([a], [b]) => (a < b ? -1 : 1))) };
      });
  }

  #use(url: string) {
    const used = this.#used.get(url);
    if (used) return used;
    const known = this.#known.get(url);
    const id = known?.id ?? ++this.#lastId;
    const file = known?.file ?? `media/${id}/${fileName(url)}`;
    const media = { ...known, id, url, file, alt: new Map<string, string>() };
    this.#used.set(url, media);
    return media;
  }

  #toRelative(url: string): string {
    if (this.#assetsUrl === undefined) {
      throw new LuidConfigError('The space has no assetsUrl, so its media cannot be told from other files', {
        hint: 'Set LUID_ASSETS_URL in .env, or pass defineSpace({ assetsUrl }).',
      });
    }
    const isOurs = url.startsWith(`${this.#assetsUrl}/`);
    return isOurs ? ASSETS_URL + url.slice(this.#assetsUrl.length) : url;
  }
}

/** Content may contain the placeholder itself. */
const ESCAPED = '&#123;assets_url}';

/** The URL of a media in the flexible text of an export. */
function portableUrl({ file }: Pick<BackupMedia, 'file'>): string {
  const [, id, name = ''] = file.split('/');
  return `${ASSETS_URL}/${id}/${encodeURIComponent(name)}`;
}

/** Flexible text of an export with each media's URL replaced by `replace`. */
export function fromPortable(
  html: string,
  media: ReadonlyMap<number, BackupMedia>,
  replace: (media: BackupMedia) => string,
): string {
  if (!html.includes('assets_url}')) return html;
  return html
    .replaceAll(/\{assets_url\}\/(\d+)\/[^\s"'<>?#\\)]*[^\s"'<>?#\\),.;]/g, (url, id) => {
      const found = media.get(Number(id));
      return found && portableUrl(found) === url ? replace(found) : url;
    })
    .replaceAll(ESCAPED, ASSETS_URL);
}

const MAX_NAME = 100;

/** A file name that is safe everywhere, from the last part of a URL. */
function fileName(url: string): string {
  const part = url.split('/').at(-1) ?? '';
  const name = decodePercent(part)
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N}._-]+/gu, '-')
    .replace(/^[.-]+|[.-]+$/g, '');
  const cut = [...name]
    .slice(-MAX_NAME)
    .join('')
    .replace(/^[.-]+/, '');
  return cut === '' || RESERVED.test(cut) ? `file-${cut}` : cut;
}

/** Names of devices in Windows. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

function escapeForRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
