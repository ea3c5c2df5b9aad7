import type { Schema } from 'hast-util-sanitize';

const words = (...lines: readonly string[]) => lines.join(' ').split(' ');

/** Text, lists, tables, figures, pictures, sound and film. */
export const ELEMENTS: readonly string[] = words(
  'a abbr address article aside b bdi bdo blockquote br caption center cite code col colgroup data dd del',
  'details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i img input ins kbd li',
  'main mark nav ol p picture pre q rp rt ruby s samp section small span strike strong sub summary sup table',
  'tbody td tfoot th thead time tr tt u ul var wbr audio video source track',
);

/** Elements that go with what is in them: it is no text of the page, or would be another one elsewhere. */
const GONE = words(
  'script style title textarea xmp iframe noembed noframes noscript template object applet embed svg math',
  'select button marquee canvas frameset head',
);

/** Colours and the like, as editors and syntax highlighters write them: nothing that moves, covers or loads. */
const STYLE_NAME =
  '(?:color|background-color|font-(?:style|weight|size)|text-(?:align|decoration|indent)|vertical-align|' +
  'white-space|word-wrap|overflow-wrap|overflow-x|(?:max-)?width|height|--shiki[\\w-]*)';
const STYLE_VALUE = '(?:[#%\\w.,\\s-]|(?:rgba?|hsla?|var)\\([\\w%.,\\s/-]*\\))+';
const STYLE = new RegExp(
  `^\\s*(?:${STYLE_NAME}\\s*:${STYLE_VALUE};\\s*)*(?:${STYLE_NAME}\\s*:${STYLE_VALUE})?$`,
);

/** `srcset`: addresses without a scheme or of the web. */
const SOURCE = '(?:https?:[^\\s,]+|[^\\s,:]+)(?:\\s+[\\d.]+[wxh])?';
const SOURCES = new RegExp(`^\\s*${SOURCE}\\s*(?:,\\s*${SOURCE}\\s*)*$`);

const SIZE = ['width', 'height'];
const CELL = ['colspan', 'rowspan', 'headers', 'scope', 'abbr', ...SIZE];
const FILM: Attributes = ['src', 'controls', 'loop', 'muted', 'preload', 'crossorigin', ...SIZE];

const EVERYWHERE: Attributes = [
  ...words('id class title lang dir align valign role hidden itemprop'),
  ...words('aria-label aria-labelledby aria-describedby aria-hidden'),
  ['style', STYLE],
];

type Attributes = NonNullable<Schema['attributes']>[string];

/**
 * What cleaned HTML may hold; all else goes. Attributes are by their names in HTML. A document that holds
 * nothing but this has no element whose content browsers read in another way than as text and tags, so
 * that however it is cut, nested or read again, it means the same.
 */
export const RULES: Schema = {
  tagNames: [...ELEMENTS],
  strip: GONE,
  attributes: {
    '*': EVERYWHERE,
    a: ['href', 'rel', 'hreflang', 'type', ['target', '_blank'], 'download'],
    abbr: [],
    blockquote: ['cite'],
    col: ['span', ...SIZE],
    colgroup: ['span', ...SIZE],
    data: ['value'],
    del: ['cite', 'datetime'],
    details: ['open'],
    img: ['src', ['srcset', SOURCES], 'sizes', 'alt', 'loading', 'decoding', 'fetchpriority', ...SIZE],
    // The box of a task in a Markdown list.
    input: [['type', 'checkbox'], 'checked', 'disabled'],
    ins: ['cite', 'datetime'],
    li: ['value'],
    ol: ['start', 'reversed', 'type'],
    // As syntax highlighters make it.
    pre: [['tabindex', '0'], 'data-language'],
    q: ['cite'],
    source: ['src', ['srcset', SOURCES], 'sizes', 'media', 'type', ...SIZE],
    table: ['border', 'cellpadding', 'cellspacing', 'summary', ...SIZE],
    td: CELL,
    th: CELL,
    time: ['datetime'],
    track: ['src', 'kind', 'srclang', 'label', 'default'],
    audio: FILM,
    video: [...FILM, 'poster', 'playsinline'],
  },
  required: { input: { type: 'checkbox', disabled: '' } },
  protocols: {
    href: ['http', 'https', 'mailto', 'tel'],
    src: ['http', 'https'],
    poster: ['http', 'https'],
    cite: ['http', 'https'],
  },
  ancestors: {},
  // `name`, by which content could stand in for a property of the document, is none of the attributes.
  clobber: [],
  clobberPrefix: '',
  allowComments: false,
  allowDoctypes: false,
};

/** The classes that syntax highlighters look for. */
const CODE_CLASSES = ['language-*'];

/** Tells which classes stay: `classes` of the field's `sanitize`, as names or as beginnings of names (`note-*`). */
export function classFilter(allowed: readonly string[] = []): (name: string) => boolean {
  const patterns = [...CODE_CLASSES, ...allowed];
  const names = new Set(patterns.filter((pattern) => !pattern.endsWith('*')));
  const starts = patterns.filter((pattern) => pattern.endsWith('*')).map((pattern) => pattern.slice(0, -1));
  return (name) => names.has(name) || starts.some((start) => name.startsWith(start));
}

/** The same with `data-*`, which portable HTML says by how it was made. */
export const PORTABLE_RULES: Schema = {
  ...RULES,
  attributes: { ...RULES.attributes, '*': [...EVERYWHERE, 'data*'] },
};

/** Raise it when a text is cleaned in another way, though the rules are the same: else stored entries stay as they are. */
const CLEANING = 2;

/** Equal for what cleans in the same way. */
export const RULES_STAMP = JSON.stringify([CLEANING, RULES], (_key, value: unknown) =>
  value instanceof RegExp ? value.source : value,
);
