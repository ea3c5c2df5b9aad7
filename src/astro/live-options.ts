import type { Order, ServiceDepth, Where } from '../client/query-types.ts';
import { LIMITS } from '../contract/limits.ts';
import { LuidConfigError } from '../errors.ts';
import type { FieldBase } from '../models/kinds/kind.ts';
import type { FlexibleTextField } from '../models/kinds/texts.ts';
import type { ModelMap, System } from '../models/types.ts';

/** The fields of a model that are of a kind. A name that a system property has cannot be asked for. */
type KeysOf<M extends ModelMap, N extends keyof M, Kind> = {
  [K in keyof M[N] & string]: M[N][K] extends Kind ? K : never;
}[Exclude<keyof M[N] & string, keyof System>];

/** Flexible text that arrives as HTML. */
type HtmlField = { readonly type: 'flexible_text'; readonly format?: 'html' | 'portable_html' };

/** `space.liveLoader(model, options)` */
export interface LiveOptions<
  D extends ServiceDepth = ServiceDepth,
  M extends ModelMap = ModelMap,
  N extends keyof M & string = never,
> {
  /** How many references in are content. The service resolves them, to 3 at most. Default 1. */
  readonly depth?: D;
  /** What entries are called: a text field whose values differ. Default: the content id. */
  readonly id?: KeysOf<M, N, { readonly type: 'text' }> | '_id';
  /** Read drafts too, with the key for drafts. */
  readonly drafts?: boolean;
  /** Language key. Default: the main language. */
  readonly lang?: string;
  /** Main-language data for what lacks `lang`. */
  readonly fallback?: boolean;
  /** The flexible text that `render(entry)` shows. */
  readonly body?: KeysOf<M, N, HtmlField>;
}

/** One entry: by the id that the loader gives it, or the first that matches. */
export type LiveEntryFilter<M extends ModelMap, N extends keyof M & string> =
  | { readonly id: string }
  | {
      /** Filters, as the service understands them (§4.1). All must hold. */
      readonly where: Where<M, N>;
      /** Which match is the first. Default `-_created_at`. */
      readonly order?: Order<M, N> | readonly Order<M, N>[];
    };

/** A page of entries. */
export interface LiveCollectionFilter<M extends ModelMap, N extends keyof M & string> {
  /** Filters, as the service understands them (§4.1). All must hold. */
  readonly where?: Where<M, N>;
  /** Default `-_created_at`. */
  readonly order?: Order<M, N> | readonly Order<M, N>[];
  /** 1 to 100. Default 100. */
  readonly limit?: number;
  readonly offset?: number;
  /** Words that must all occur, in any text field. */
  readonly contains?: string | readonly string[];
}

/** Any options, as the loader sees them; their own types have been checked by the compiler. */
export interface AnyLiveOptions {
  readonly depth?: unknown;
  readonly id?: unknown;
  readonly body?: unknown;
}

/** Refuses at once what could only fail at the first request. */
export function checkLiveOptions(models: ModelMap, model: string, options: AnyLiveOptions): void {
  const place = `liveLoader(${JSON.stringify(model)})`;
  const { depth, id, body } = options;
  const fields = Object.hasOwn(models, model) ? (models[model] ?? {}) : {};
  const find = (luid: unknown) =>
    typeof luid === 'string' && Object.hasOwn(fields, luid) ? fields[luid] : undefined;
  const refuse = (name: string, value: unknown, hint: string) => {
    const shown = typeof value === 'function' ? 'a function' : JSON.stringify(value);
    throw new LuidConfigError(`${place}: ${name} is ${shown}`, { model, hint });
  };

  const whole = typeof depth === 'number' && Number.isInteger(depth);
  if (depth !== undefined && !(whole && depth >= 0 && depth <= LIMITS.maxDepth)) {
    refuse('depth', depth, `Give a whole number from 0 to ${LIMITS.maxDepth}: the service goes no deeper.`);
  }
  if (id !== undefined && id !== '_id' && find(id)?.type !== 'text') {
    refuse('id', id, `Use ${choice(fields, ({ type }) => type === 'text')}'_id' (the content id).`);
  }
  if (body !== undefined && !isHtml(find(body))) {
    refuse('body', body, `Use ${choice(fields, isHtml)}a flexible text whose format is html.`);
  }
}

function choice(fields: { readonly [luid: string]: FieldBase }, fits: (field: FieldBase) => boolean): string {
  const names = Object.entries(fields).filter(([, field]) => fits(field));
  return names.map(([luid]) => `'${luid}', `).join('') + (names.length > 0 ? 'or ' : '');
}

function isHtml(field: FieldBase | undefined): boolean {
  if (field?.type !== 'flexible_text') return false;
  const { format = 'html' } = field as FlexibleTextField;
  return format === 'html' || format === 'portable_html';
}
