import { API_KEY_HEADER } from '../../contract/parameters.ts';
import type { Field } from '../../models/field-types/index.ts';
import { declaredFields } from '../../models/fields-of.ts';
import type { Fields } from '../../models/types.ts';
import { setOwn } from '../../models/walk.ts';
import { cliFieldTypeOf } from '../field-types/index.ts';
import type { Evidence } from '../infer/evidence.ts';
import type { Inferred } from '../infer/infer.ts';
import type { Languages } from '../survey/find-languages.ts';
import type { Survey, SurveyedModel } from '../survey/survey.ts';
import { commentText, propertyName, quoted } from './code-literals.ts';
import type { Member } from './source/insert-code.ts';

export interface SpaceSettings {
  readonly header?: string | undefined;
  readonly subSpace?: string | undefined;
}

/** What code is generated from. */
export interface CodeContext {
  readonly evidence: Inferred['evidence'];
  /** The local name of `field`. Default: `field`. */
  readonly field?: string | undefined;
}

/** `src/space.ts`: the inferred models, each field with its evidence. */
export function generateSpaceFile(
  inferred: Inferred,
  survey: Pick<Survey, 'models' | 'languages'>,
  settings: SpaceSettings,
): string {
  const options = [
    settings.header !== undefined &&
      settings.header !== API_KEY_HEADER &&
      `  apiKeyHeader: ${quoted(settings.header)},`,
    settings.subSpace !== undefined && `  space: ${quoted(settings.subSpace)},`,
    hasLanguages(survey.languages) && `  ${languagesCode(survey.languages)},`,
  ].filter((line) => typeof line === 'string');
  const models = survey.models.flatMap((model) => {
    const code = modelCode(inferred, model);
    return code === undefined ? [] : `${code},`.split('\n').map((line) => `    ${line}`);
  });
  return [...HEAD, ...options, '  models: {', ...models, '  },', '});', ''].join('\n');
}

export function hasLanguages(languages: Languages | undefined): languages is Languages {
  return languages !== undefined && languages.sub.length > 0;
}

/** `languages: { main: 'ja', sub: ['en'] }` */
export function languagesCode({ main, sub }: Languages): string {
  return `languages: { main: ${quoted(main)}, sub: ${list(sub)} }`;
}

/** The code of a model, as a property without its comma; `undefined` if its fields are not known. */
export function modelCode(
  { models, ...context }: CodeContext & Pick<Inferred, 'models'>,
  { name, total, inspected }: Pick<SurveyedModel, 'name' | 'total' | 'inspected'>,
): string | undefined {
  const fields = declaredFields(models, name);
  if (!fields) return undefined;
  const inner = propertiesOf(fields, name, context);
  const items = total === 1 ? '1 item' : `${total} items`;
  const comment = inspected === total ? `${items}, all inspected` : `${inspected} of ${items} inspected`;
  return withoutComma(lines([{ name, open: '{', inner, close: '}', comment }], ''));
}

/** The code of a field, as a member of the group at `place`, such as `article.seo`. */
export function fieldCode(context: CodeContext, place: string, name: string, field: Field): Member {
  const group: Record<string, Field> = {};
  setOwn(group, name, field);
  const [property] = propertiesOf(group as Fields, place, context);
  const { comment, ...rest } = property as Property;
  if (rest.close === undefined) {
    const code = withoutComma(lines([rest], ''));
    return { code, comment: comment === undefined ? undefined : commentText(comment) };
  }
  return { code: withoutComma(lines([property as Property], '')) };
}

/** The code of a field set of the combination at `place`. */
export function groupCode(context: CodeContext, place: string, name: string, fields: Fields): Member {
  const inner = propertiesOf(fields, `${place}.${name}`, context);
  return { code: withoutComma(lines([{ name, open: '{', inner, close: '}' }], '')) };
}

function withoutComma(code: readonly string[]): string {
  return code.join('\n').replace(/,$/, '');
}

const HEAD = [
  "import { defineSpace, field } from 'astro-luid';",
  '',
  '/**',
  ' * The models as inferred from the content: the service has no endpoint that describes them. The comment',
  ' * of a field says how often it had a value. Review what is "uncertain", and add `required: true` where it',
  ' * applies. URL and key come from LUID_BASE_URL, LUID_ASSETS_URL and LUID_API_KEY.',
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
    const suffix = comment === undefined ? '' : ` // ${commentText(comment)}`;
    const start = `${indent}${propertyName(name)}: ${open}`;
    if (close === undefined) return [`${start},${suffix}`];
    return [`${start}${suffix}`, ...lines(inner, `${indent}  `), `${indent}${close},`];
  });
}

function propertiesOf(fields: Fields, place: string, context: CodeContext): Property[] {
  return Object.entries(fields).map(([name, field]) => {
    const at = `${place}.${name}`;
    const found = context.evidence.get(at);
    const inside = (group: Fields, below = '') => propertiesOf(group, `${at}${below}`, context);
    return { name, comment: found && evidenceText(found), ...written(field, inside, context.field) };
  });
}

/** `48 of 50, 3 values; uncertain: there may be other options` */
function evidenceText({ filled, of, values, note, doubt }: Evidence): string {
  const count = values === undefined ? '' : `, ${values === 1 ? '1 value' : `${values} values`}`;
  return [`${filled} of ${of}${count}`, note, doubt && `uncertain: ${doubt}`].filter(Boolean).join('; ');
}

type Inside = (group: Fields, below?: string) => Property[];

const list = (texts: readonly string[]) => `[${texts.map((text) => quoted(text)).join(', ')}]`;

/** A field as its builder is called: by what the builder's first argument is. */
function written(field: Field, inside: Inside, local = 'field'): Omit<Property, 'name' | 'comment'> {
  const { builder, argument } = cliFieldTypeOf(field);
  const { options, model, fields = {}, sets = {}, title } = field as AnyField;
  const call = (code = '') => ({ open: `${local}.${builder}(${code})` });
  const callWith = (inner: readonly Property[]) => ({ open: `${local}.${builder}({`, inner, close: '})' });
  switch (argument) {
    case 'options':
      return call(options && list(options));
    case 'models':
      return call(typeof model === 'string' ? quoted(model) : model && list(model));
    case 'fields':
      return callWith(inside(fields));
    case 'sets':
      return callWith(
        Object.entries(sets).map(([name, group]) => ({
          name,
          open: '{',
          inner: inside(group, `.${name}`),
          close: '}',
        })),
      );
    default:
      return call(title ? '{ title: true }' : '');
  }
}

interface AnyField {
  readonly title?: boolean;
  readonly options?: readonly string[];
  readonly model?: string | readonly string[];
  readonly fields?: Fields;
  readonly sets?: Readonly<Record<string, Fields>>;
}
