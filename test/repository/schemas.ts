import { Ajv } from 'ajv';
import { parse } from 'yaml';

const string = { type: 'string', minLength: 1 };
const validations = {
  type: 'object',
  properties: { required: { type: 'boolean' } },
  additionalProperties: false,
};

/** A field of a form: its attributes, of which some are required. */
function field(type: string, attributes: object, required: string[]) {
  return {
    type: 'object',
    properties: {
      type: { const: type },
      id: { type: 'string', pattern: '^[A-Za-z0-9_-]+$' },
      attributes: { type: 'object', properties: attributes, required, additionalProperties: false },
      validations,
    },
    required: type === 'markdown' ? ['type', 'attributes'] : ['type', 'id', 'attributes'],
    additionalProperties: false,
  };
}

const labelled = { label: string, description: string };
const FIELDS = {
  markdown: field('markdown', { value: string }, ['value']),
  input: field('input', { ...labelled, placeholder: string, value: string }, ['label']),
  textarea: field('textarea', { ...labelled, placeholder: string, value: string, render: string }, ['label']),
  dropdown: field(
    'dropdown',
    {
      ...labelled,
      multiple: { type: 'boolean' },
      options: { type: 'array', items: string, minItems: 1, uniqueItems: true },
      default: { type: 'integer' },
    },
    ['label', 'options'],
  ),
};

/** https://docs.github.com/en/communities/using-templates-to-encourage-useful-issues-and-pull-requests/syntax-for-issue-forms */
const form = {
  type: 'object',
  properties: {
    name: string,
    description: string,
    title: string,
    labels: { type: 'array', items: string },
    body: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['type'],
        properties: { type: { enum: Object.keys(FIELDS) } },
        allOf: Object.entries(FIELDS).map(([type, schema]) => ({
          if: { properties: { type: { const: type } } },
          // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
          then: schema,
        })),
      },
      contains: { properties: { type: { not: { const: 'markdown' } } } },
    },
  },
  required: ['name', 'description', 'body'],
  additionalProperties: false,
};

/** The chooser of templates. */
const config = {
  type: 'object',
  properties: {
    blank_issues_enabled: { type: 'boolean' },
    contact_links: {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: string, url: { type: 'string', pattern: '^https://' }, about: string },
        required: ['name', 'url', 'about'],
        additionalProperties: false,
      },
    },
  },
  required: ['blank_issues_enabled'],
  additionalProperties: false,
};

/** https://docs.github.com/en/code-security/dependabot/working-with-dependabot/dependabot-options-reference */
const dependabot = {
  type: 'object',
  properties: {
    version: { const: 2 },
    updates: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        properties: {
          'package-ecosystem': { enum: ['npm', 'github-actions'] },
          directory: { type: 'string', pattern: '^/' },
          schedule: {
            type: 'object',
            properties: { interval: { enum: ['daily', 'weekly', 'monthly', 'quarterly'] } },
            required: ['interval'],
            additionalProperties: false,
          },
          'commit-message': {
            type: 'object',
            properties: { prefix: { type: 'string', maxLength: 50 } },
            additionalProperties: false,
          },
          groups: {
            type: 'object',
            additionalProperties: {
              type: 'object',
              properties: {
                patterns: { type: 'array', items: string },
                'update-types': { type: 'array', items: { enum: ['major', 'minor', 'patch'] } },
              },
              additionalProperties: false,
            },
          },
          ignore: {
            type: 'array',
            items: {
              type: 'object',
              properties: { 'dependency-name': string, versions: { type: 'array', items: string } },
              required: ['dependency-name'],
              additionalProperties: false,
            },
          },
        },
        required: ['package-ecosystem', 'directory', 'schedule'],
        additionalProperties: false,
      },
    },
  },
  required: ['version', 'updates'],
  additionalProperties: false,
};

const ajv = new Ajv({ allErrors: true, strict: false });
const validators = {
  form: ajv.compile(form),
  config: ajv.compile(config),
  dependabot: ajv.compile(dependabot),
};

/** What is wrong with a file of GitHub. */
export function checkFile(kind: keyof typeof validators, text: string): string[] {
  const data = parse(text);
  const validate = validators[kind];
  const errors = validate(data) ? [] : (validate.errors ?? []);
  const problems = errors
    .filter(({ keyword }) => keyword !== 'if')
    .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
  if (kind !== 'form' || problems.length > 0) return problems;
  const ids = (data as { body: { id?: string }[] }).body.flatMap(({ id }) => id ?? []);
  return ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `two fields have the id ${id}`);
}
