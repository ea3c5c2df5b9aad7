import { LuidError } from '../../shared/errors.ts';
import { isRecord } from '../../shared/is-record.ts';
import { formatJson } from './backup-item.ts';
import type { BackupMedia } from './media-index.ts';

export const MANIFEST = 'luid-export.json';
export const MODELS = 'models.json';
const VERSION = 1;

/** What an export contains, and what was selected for it. */
export interface Manifest {
  readonly version: typeof VERSION;
  /** `false` while an export is written: the files may be those of before, or missing. */
  readonly complete: boolean;
  readonly source: {
    readonly baseUrl: string;
    readonly assetsUrl?: string | undefined;
    readonly space?: string | undefined;
  };
  readonly languages: { readonly main: string; readonly sub: readonly string[] };
  readonly selection: Selection;
  readonly counts: { readonly items: number; readonly media: number; readonly bytes: number };
  /** The SHA-256 of each file but those of media, by path. */
  readonly files: { readonly [path: string]: string };
  readonly media: readonly BackupMedia[];
}

export interface Selection {
  readonly drafts: boolean;
  readonly media: boolean;
  /** `null`: all. */
  readonly models: readonly string[] | null;
  readonly langs: readonly string[] | null;
}

export function formatManifest(manifest: Omit<Manifest, 'version'>): string {
  return formatJson({ version: VERSION, ...manifest });
}

const ITEM_PATH = /^contents\/[a-z0-9_]+\/[1-9]\d*\.json$/;
const MEDIA_PATH = /^media\/[1-9]\d*\/[^/\\\0]+$/;

/** Throws for what no export has written: its paths become those of files. */
export function parseManifest(text: string, name: string): Manifest {
  const manifest = parseJson(text);
  const fail = (problem: string) => new LuidError(`${MANIFEST} of ${name} ${problem}`, { hint: HINT });
  if (!isManifest(manifest)) throw fail('is damaged');
  if (manifest.version !== VERSION) throw fail('was written by another version of this package');
  const paths = Object.keys(manifest.files).filter((path) => path !== MODELS);
  const odd =
    paths.find((path) => !ITEM_PATH.test(path)) ??
    manifest.media.find(({ file }) => !MEDIA_PATH.test(file) || file.endsWith('/..'))?.file;
  if (odd !== undefined) throw fail(`names a file that no export has: ${JSON.stringify(odd)}`);
  return manifest;
}

function isManifest(value: unknown): value is Manifest {
  if (!isRecord(value)) return false;
  const { files, media, languages, selection, source } = value as Partial<Manifest>;
  return (
    isRecord(files) &&
    Array.isArray(media) &&
    media.every((one) => isRecord(one) && typeof one.file === 'string' && typeof one.url === 'string') &&
    typeof languages?.main === 'string' &&
    Array.isArray(languages.sub) &&
    isRecord(selection) &&
    typeof source?.baseUrl === 'string'
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const HINT = 'Restore it from git or a copy, or export into another folder.';
