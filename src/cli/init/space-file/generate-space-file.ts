import { API_KEY_HEADER } from '../../../contract/parameters.ts';
import type { Field } from '../../../models/field-types/index.ts';
import { declaredFields } from '../../../models/fields-of.ts';
import type { Fields } from '../../../models/types.ts';
import { cliFieldTypeOf } from '../../field-types/index.ts';
import type { Evidence, Inferred } from '../../infer/infer.ts';
import type { Languages } from '../../survey/find-languages.ts';
import type { Survey, SurveyedModel } from '../../survey/survey.ts';
import type { Member } from '../edit/insert-code.ts';
import { commentText, propertyName, quoted } from './code-literals.ts';

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
  const models = survey.models.flatMap((model) => modelCode(inferred, model) ?? []);
  const members = [
    settings.header !== undefined &&
      settings.header !== API_KEY_HEADER &&
      `apiKeyHeader: ${quoted(settings.header)}`,
    settings.subSpace !== undefined && `space: ${quoted(settings.subSpace)}`,
    hasLanguages(survey.languages) && languagesCode(survey.languages),
    group(
      'models: {',
      models.map((code) => ({ code })),
      '}',
    ).code,
  ].flatMap((code) => (typeof code === 'string' ? { code } : []));
  return `${HEAD}${group('export const space = defineSpace({', members, '});').code}\n`;
}

const HEAD = `import { defineSpace, field } from 'astro-luid';

/**
 * The models as inferred from the content: the service has no endpoint that describes them. The comment
 * of a field says how often it had a value. Review what is "uncertain", and add \`required: true\` where it
 * applies. URLs and key come from variables in .env: LUID_BASE_URL or LUID_SERVICE, LUID_ASSETS_URL and LUID_API_KEY.
 */
`;

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
  const items = total === 1 ? '1 item' : `${total} items`;
  const comment = inspected === total ? `${items}, all inspected` : `${inspected} of ${items} inspected`;
  return group(`${propertyName(name)}: {`, membersOf(context, name, fields), '}', comment).code;
}

/** The code of a field set of the combination at `place`. */
export function groupCode(context: CodeContext, place: string, name: string, fields: Fields): Member {
  return group(`${propertyName(name)}: {`, membersOf(context, `${place}.${name}`, fields), '}');
}

/** The code of a field, as a member of the group at `place`, such as `article.seo`. */
export function fieldCode(context: CodeContext, place: string, name: string, field: Field): Member {
  const at = `${place}.${name}`;
  const evidence = context.evidence.get(at);
  const comment = evidence && commentText(evidenceText(evidence));
  const { builder, argument } = cliFieldTypeOf(field);
  const { options, model, fields = {}, sets = {}, title } = field as AnyField;
  const start = `${propertyName(name)}: ${context.field ?? 'field'}.${builder}(`;
  const call = (code = '') => ({ code: `${start}${code})`, comment });
  switch (argument) {
    case 'options':
      return call(options && list(options));
    case 'models':
      return call(typeof model === 'string' ? quoted(model) : model && list(model));
    case 'fields':
      return group(`${start}{`, membersOf(context, at, fields), '})', comment);
    case 'sets': {
      const groups = Object.entries(sets).map(([set, inner]) => groupCode(context, at, set, inner));
      return group(`${start}{`, groups, '})', comment);
    }
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

function membersOf(context: CodeContext, place: string, fields: Fields): Member[] {
  return Object.entries(fields).map(([name, field]) => fieldCode(context, place, name, field as Field));
}

/** Members over several lines; the comment follows the first. */
function group(open: string, members: readonly Member[], close: string, comment?: string): Member {
  const lines = members.flatMap((member) => `${member.code},${suffix(member.comment)}`.split('\n'));
  return { code: [open + suffix(comment), ...lines.map((line) => `  ${line}`), close].join('\n') };
}

const suffix = (comment: string | undefined) => (comment === undefined ? '' : ` // ${comment}`);
const list = (texts: readonly string[]) => `[${texts.map((text) => quoted(text)).join(', ')}]`;

/** `48 of 50, 3 values; uncertain: there may be other options` */
function evidenceText({ filled, of, values, note, doubt }: Evidence): string {
  const count = values === undefined ? '' : `, ${values === 1 ? '1 value' : `${values} values`}`;
  return [`${filled} of ${of}${count}`, note, doubt && `uncertain: ${doubt}`].filter(Boolean).join('; ');
}
