import type { Schema } from 'hast-util-sanitize';

const words = (...lines: readonly string[]) => lines.join(' ').split(' ');

/** Text, lists, tables, figures, images, audio and video. */
export const ELEMENTS: readonly string[] = words(
  'a abbr address article aside b bdi bdo blockquote br caption center cite code col colgroup data dd del',
  'details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i img input ins kbd li',
  'main mark nav ol p picture pre q rp rt ruby s samp section small span strike strong sub summary sup table',
  'tbody td tfoot th thead time tr tt u ul var wbr audio video source track',
);

/** Elements that are removed with their content, which is not text of the page or would be parsed differently. */
const REMOVED_WITH_CONTENT = words(
  'script style title textarea xmp iframe noembed noframes noscript template object applet embed svg math',
  'select button marquee canvas frameset head',
);

/** Styles that editors and syntax highlighters write: nothing that positions, overlays or loads anything. */
const STYLE_NAME =
  '(?:color|background-color|font-(?:style|weight|size)|text-(?:align|decoration|indent)|vertical-align|' +
  'white-space|word-wrap|overflow-wrap|overflow-x|(?:max-)?width|height|--shiki[\\w-]*)';
const STYLE_VALUE = '(?:[#%\\w.,\\s-]|(?:rgba?|hsla?|var)\\([\\w%.,\\s/-]*\\))+';
const STYLE = new RegExp(
  `^\\s*(?:${STYLE_NAME}\\s*:${STYLE_VALUE};\\s*)*(?:${STYLE_NAME}\\s*:${STYLE_VALUE})?$`,
);

/** `srcset` with relative and http(s) URLs. */
const SOURCE = '(?:https?:[^\\s,]+|[^\\s,:]+)(?:\\s+[\\d.]+[wxh])?';
const SOURCES = new RegExp(`^\\s*${SOURCE}\\s*(?:,\\s*${SOURCE}\\s*)*$`);

const SIZE = ['width', 'height'];
const CELL = ['colspan', 'rowspan', 'headers', 'scope', 'abbr', ...SIZE];
const AUDIO_VIDEO: Attributes = ['src', 'controls', 'loop', 'muted', 'preload', 'crossorigin', ...SIZE];

const GLOBAL: Attributes = [
  ...words('id class title lang dir align valign role hidden itemprop'),
  ...words('aria-label aria-labelledby aria-describedby aria-hidden'),
  ['style', STYLE],
];

type Attributes = NonNullable<Schema['attributes']>[string];

/**
 * Everything that sanitized HTML may contain; attributes by their HTML names. No allowed element has content that
 * browsers parse by other rules (such as `style`), so the result means the same wherever it is embedded.
 */
export const RULES: Schema = {
  tagNames: [...ELEMENTS],
  strip: REMOVED_WITH_CONTENT,
  attributes: {
    '*': GLOBAL,
    a: ['href', 'rel', 'hreflang', 'type', ['target', '_blank'], 'download'],
    abbr: [],
    blockquote: ['cite'],
    col: ['span', ...SIZE],
    colgroup: ['span', ...SIZE],
    data: ['value'],
    del: ['cite', 'datetime'],
    details: ['open'],
    img: ['src', ['srcset', SOURCES], 'sizes', 'alt', 'loading', 'decoding', 'fetchpriority', ...SIZE],
    // The checkbox of a task in a Markdown list.
    input: [['type', 'checkbox'], 'checked', 'disabled'],
    ins: ['cite', 'datetime'],
    li: ['value'],
    ol: ['start', 'reversed', 'type'],
    // Added by syntax highlighters.
    pre: [['tabindex', '0'], 'data-language'],
    q: ['cite'],
    source: ['src', ['srcset', SOURCES], 'sizes', 'media', 'type', ...SIZE],
    table: ['border', 'cellpadding', 'cellspacing', 'summary', ...SIZE],
    td: CELL,
    th: CELL,
    time: ['datetime'],
    track: ['src', 'kind', 'srclang', 'label', 'default'],
    audio: AUDIO_VIDEO,
    video: [...AUDIO_VIDEO, 'poster', 'playsinline'],
  },
  required: { input: { type: 'checkbox', disabled: '' } },
  protocols: {
    href: ['http', 'https', 'mailto', 'tel'],
    src: ['http', 'https'],
    poster: ['http', 'https'],
    cite: ['http', 'https'],
  },
  ancestors: {},
  // Not needed: `name`, which could replace a property of `document`, is not allowed, and ids get a prefix.
  clobber: [],
  clobberPrefix: '',
  allowComments: false,
  allowDoctypes: false,
};

/** The classes that syntax highlighters look for. */
const CODE_CLASSES = ['language-*'];

/** Whether a class is kept. `allowed` has names, or prefixes of names (`note-*`). */
export function classFilter(allowed: readonly string[] = []): (name: string) => boolean {
  const patterns = [...CODE_CLASSES, ...allowed];
  const names = new Set(patterns.filter((pattern) => !pattern.endsWith('*')));
  const prefixes = patterns.filter((pattern) => pattern.endsWith('*')).map((pattern) => pattern.slice(0, -1));
  return (name) => names.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}

/** Portable HTML needs `data-*` to be sent back to the service. */
export const PORTABLE_RULES: Schema = {
  ...RULES,
  attributes: { ...RULES.attributes, '*': [...GLOBAL, 'data*'] },
};

/** Increase it when results change with unchanged rules; otherwise stored entries are not updated. */
const SANITIZER_VERSION = 4;

/** Equal for rules with equal results. */
export const RULES_FINGERPRINT = JSON.stringify([SANITIZER_VERSION, RULES], (_key, value: unknown) =>
  value instanceof RegExp ? value.source : value,
);
