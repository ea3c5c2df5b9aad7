import { canonicalJson } from '../../models/canonical-json.ts';
import type { Values } from '../../models/field-types/field-type.ts';

/** Values in the write shapes of §4.10, by language: references and media by id, nothing that is empty. */
export type LanguageData = { readonly [lang: string]: Values };

/** An item with all its languages: the content of one file of an export, and of a seed of the emulator. */
export interface BackupItem {
  readonly id: number;
  readonly model: string;
  readonly space?: string | undefined;
  readonly created_at: string;
  readonly updated_at: string;
  readonly published_at: string | null;
  readonly last_published_at: string | null;
  readonly published?: LanguageData | undefined;
  readonly draft?: LanguageData | undefined;
}

export const STATES = ['published', 'draft'] as const;
export type State = (typeof STATES)[number];

export function itemPath({ model, id }: Pick<BackupItem, 'model' | 'id'>): string {
  return `contents/${model}/${id}.json`;
}

/** The text of an item's file: the same for the same content, one line per value. */
export function formatItem({ published, draft, ...item }: BackupItem): string {
  return formatJson({
    ...item,
    ...(published && { published: sorted(published) }),
    ...(draft && { draft: sorted(draft) }),
  });
}

export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** A deep copy with sorted keys. */
function sorted(value: unknown): unknown {
  return JSON.parse(canonicalJson(value));
}
