/** §5: the default name of the header with the key. */
export const API_KEY_HEADER = 'X-SERVICE-API-KEY';

/** §4.1: the filter operators, written `{field_luid}[operator]`. */
export const OPERATORS = ['eq', 'in', 'lt', 'lte', 'gt', 'gte', 'contains', 'has'] as const;
export type Operator = (typeof OPERATORS)[number];

/** §4.1: the output formats of flexible text, written `{field_luid}[format]`; the first is the default. */
export const TEXT_FORMATS = ['html', 'text', 'markdown', 'portable_html'] as const;
export type TextFormat = (typeof TEXT_FORMATS)[number];

/** §4.3: the input formats of flexible text; the first is the default. */
export const WRITE_FORMATS = ['portable_html', 'markdown'] as const;
export type WriteFormat = (typeof WRITE_FORMATS)[number];

/** §4.2: the values of `include` for a single item. */
export const INCLUDES = ['_prev', '_next', '_langs'] as const;
export type Include = (typeof INCLUDES)[number];

/** §4.1: the default order of a list. */
export const DEFAULT_ORDER = '-_created_at';
