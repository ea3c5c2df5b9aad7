import type { ModelMap } from '../../../src/models/types.ts';

/** The seed of `design.md`, as the reference reads it. */
export interface Seed {
  languages: { main: string; sub: string[] };
  /** Absent: the sub-space feature is off. */
  spaces?: string[];
  keys: Key[];
  models: ModelMap;
  media: SeedMedia[];
  contents: SeedContent[];
}

export interface Key {
  key: string;
  reads: 'published' | 'drafts';
  /** Absent: every space. */
  spaces?: string[];
}

export interface SeedMedia {
  id: number;
  file: string;
  /** Language → text. */
  alt?: Record<string, string>;
  archived?: boolean;
}

export interface SeedContent {
  id: number;
  model: string;
  space?: string;
  archived?: boolean;
  created_at: string;
  updated_at: string;
  published_at?: string | null;
  last_published_at?: string | null;
  /** Language → field LUID → value, in the shapes of §4.10. */
  published?: Record<string, Values>;
  draft?: Record<string, Values>;
}

export type Values = Record<string, unknown>;

/** A property of the object itself: a LUID may be `constructor` or `__proto__`. */
export function own<T>(object: { readonly [key: string]: T } | undefined, key: string): T | undefined {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}
