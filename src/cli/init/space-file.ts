import { API_KEY_HEADER } from '../../contract/parameters.ts';
import type { Field } from '../../models/kinds/index.ts';
import type { Fields } from '../../models/types.ts';
import type { Inferred } from '../infer/infer.ts';
import type { Evidence } from '../infer/verdict.ts';
import type { Survey } from '../survey/survey.ts';
import { propertyName, quoted } from './code.ts';

export interface SpaceSettings {
  readonly header?: string | undefined;
  readonly subSpace?: string | undefined;
}

/** `src/space.ts`: the inferred map, each field with what speaks for it. */
export function spaceFile(
  { models, evidence }: Inferred,
  survey: Pick<Survey, 'models' | 'languages'>,
  settings: SpaceSettings,
): string {
  const { languages } = survey;
  const options = [
    settings.header !== undefined &&
      settings.header !== API_KEY_HEADER &&
      `  apiKeyHeader: ${quoted(settings.header)},`,
    settings.subSpace !== undefined && `  space: ${quoted(settings.subSpace)},`,
    languages &&
      languages.sub.length > 0 &&
      `  languages: { main: ${quoted(languages.main)}, sub: [${languages.sub.map(quoted).join(', ')}] },`,
  ].filter((line) => typeof line === 'string');
  const blocks = survey.models.flatMap(({ name, total, looked }) => {
    const fields = Object.hasOwn(models, name) ? models[name] : undefined;
    if (!fields) return [];
    const inner = propertiesOf(fields, name, evidence);
    const comment = `${looked === total ? `all ${total}` : `${looked} of ${total}`} items looked at`;
    return lines([{ name, open: '{', inner, close: '}', comment }], '    ');
  });
  return [...HEAD, ...options, '  models: {', ...blocks, '  },', '});', ''].join('\n');
}

const HEAD = [
  "import { defineSpace, field } from 'astro-luid';",
  '',
  '/**',
  ' * The models as their content shows them, for the service has no endpoint that tells. Behind each field:',
  ' * how many of its places had a value. Look at what is "uncertain", and add `required: true` where you know.',
  ' * Address and key come from LUID_BASE_URL, LUID_ASSETS_URL and LUID_API_KEY.',
  ' */',
  'export const space = defineSpace({',
];

/** A property in the source: one line, or a group with others inside. */
interface Property {
  readonly name: string;
  readonly open: string;
  readonly close?: string;
  readonly inner?: readonly Property[];
  readonly comment?: string | undefined;
}

function lines(properties: readonly Property[], indent: string): string[] {
  return properties.flatMap(({ name, open, close, inner = [], comment }) => {
    const said = comment === undefined ? '' : ` // ${comment}`;
    const start = `${indent}${propertyName(name)}: ${open}`;
    if (close === undefined) return [`${start},${said}`];
    return [`${start}${said}`, ...lines(inner, `${indent}  `), `${indent}${close},`];
  });
}

function propertiesOf(fields: Fields, place: string, evidence: ReadonlyMap<string, Evidence>): Property[] {
  return Object.entries(fields).map(([name, field]) => {
    const at = `${place}.${name}`;
    const found = evidence.get(at);
    const inside = (group: Fields, below = '') => propertiesOf(group, `${at}${below}`, evidence);
    const written = WRITTEN[field.type](field as never, inside);
    return { name, comment: found && evidenceText(found), ...written };
  });
}

/** `48 of 50, 3 values; uncertain: there may be other options` */
export function evidenceText({ filled, of, values, note, doubt }: Evidence): string {
  const count = values === undefined ? '' : `, ${values === 1 ? '1 value' : `${values} values`}`;
  return [`${filled} of ${of}${count}`, note, doubt && `uncertain: ${doubt}`].filter(Boolean).join('; ');
}

type Inside = (group: Fields, below?: string) => Property[];
type Written<F> = (field: F, inside: Inside) => Omit<Property, 'name' | 'comment'>;

const list = (texts: readonly string[]) => `[${texts.map(quoted).join(', ')}]`;

/** How each field type is written, with its builder. */
const WRITTEN: { readonly [T in Field['type']]: Written<Extract<Field, { type: T }>> } = {
  text: ({ title }) => ({ open: title ? 'field.text({ title: true })' : 'field.text()' }),
  multiline: () => ({ open: 'field.multiline()' }),
  flexible_text: () => ({ open: 'field.flexibleText()' }),
  boolean: () => ({ open: 'field.boolean()' }),
  select: ({ options }) => ({ open: `field.select(${options ? list(options) : ''})` }),
  multi_select: ({ options }) => ({ open: `field.multiSelect(${options ? list(options) : ''})` }),
  datetime: () => ({ open: 'field.datetime()' }),
  media: () => ({ open: 'field.media()' }),
  reference: ({ model }) => {
    const targets = typeof model === 'string' ? quoted(model) : model ? list(model) : '';
    return { open: `field.reference(${targets})` };
  },
  repeat: ({ fields }, inside) => ({
    open: 'field.repeat({',
    inner: inside(fields as Fields),
    close: '})',
  }),
  field_set: ({ fields }, inside) => ({
    open: 'field.fieldSet({',
    inner: inside(fields as Fields),
    close: '})',
  }),
  combination: ({ sets }, inside) => ({
    open: 'field.combination({',
    inner: Object.entries(sets).map(([name, fields]) => ({
      name,
      open: '{',
      inner: inside(fields as Fields, `.${name}`),
      close: '}',
    })),
    close: '})',
  }),
  unknown: () => ({ open: 'field.unknown()' }),
};
