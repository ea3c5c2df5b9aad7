import { LIMITS } from '../../../../contract/limits.ts';
import type { Include, TextFormat } from '../../../../contract/parameters.ts';
import { type Read, splitList } from './snippets.ts';

/** What the controls contain; texts as they were typed. */
export interface ReadForm {
  readonly kind: 'item' | 'list';
  /** The index of the key. */
  readonly key: number;
  readonly depth: number;
  readonly lang: string;
  readonly fallback: boolean;
  readonly select: string;
  readonly formats: { readonly [path: string]: TextFormat };
  readonly include: readonly Include[];
  readonly limit: string;
  readonly offset: string;
  readonly order: string;
  readonly contains: string;
}

export function initialForm(lang: string, keys: readonly { readonly reads: string }[]): ReadForm {
  return {
    kind: 'item',
    // A key that reads drafts has a response for every item.
    key: Math.max(
      0,
      keys.findIndex(({ reads }) => reads === 'drafts'),
    ),
    depth: LIMITS.defaultDepth,
    lang,
    fallback: false,
    select: '',
    formats: {},
    include: [],
    limit: '10',
    offset: '',
    order: '',
    contains: '',
  };
}

interface Subject {
  readonly id: number;
  readonly model: string;
  readonly mainLanguage: string;
}

export function readOf(form: ReadForm, { id, model, mainLanguage }: Subject): Read {
  const shape = {
    depth: form.depth,
    lang: form.lang === mainLanguage ? undefined : form.lang,
    fallback: form.fallback,
    select: splitList(form.select),
    formats: form.formats,
  };
  if (form.kind === 'item') return { ...shape, id, include: form.include };
  return {
    ...shape,
    model,
    limit: numberOf(form.limit),
    offset: numberOf(form.offset),
    order: splitList(form.order),
    contains: form.contains,
  };
}

function numberOf(text: string): number | undefined {
  return text.trim() === '' || !Number.isFinite(Number(text)) ? undefined : Number(text);
}
