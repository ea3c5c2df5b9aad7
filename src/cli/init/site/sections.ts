import { childGroups, groupPath } from '../../../models/child-groups.ts';
import type { FieldBase, FieldsBase } from '../../../models/field-types/field-type.ts';
import { fieldTypeOf, isMedia, isReference, isRichText } from '../../../models/field-types/index.ts';
import { targetsOf } from '../../../models/field-types/reference.ts';
import { fieldsOf } from '../../../models/fields-of.ts';
import { titleField } from '../../../models/title-field.ts';
import type { Inferred } from '../../infer/infer.ts';
import type { Survey } from '../../survey/survey.ts';
import type { Backlink, Collection } from '../space-file/collections.ts';
import { hasLanguages } from '../space-file/generate-space-file.ts';

/** The pages of a model: lists of its entries, and a page per entry. */
export interface Section {
  readonly model: string;
  /** The folder of its pages. */
  readonly folder: string;
  /** The field whose values are the ids of entries. */
  readonly id: string;
  readonly body: string | undefined;
  /** LUIDs of its image field and of its short text field. */
  readonly image: string | undefined;
  readonly lead: string | undefined;
  readonly langs: readonly string[] | undefined;
  /** What its pages show besides. */
  readonly fields: readonly SectionField[];
  /** Lists of entries that refer to an entry. */
  readonly backlinks: readonly Backlink[];
}

export interface SectionField {
  readonly luid: string;
  /** The paths of formatted texts in its value; `''` is the value itself. */
  readonly html: readonly string[];
}

/** How many of the entries that refer to an entry its page lists. */
const MAX_BACKLINKS = 12;

/** The collections of a new site: in a space with several languages every entry has one, and pages list what refers to them. */
export function siteCollections(
  inferred: Inferred,
  { languages }: Pick<Survey, 'languages'>,
  collections: readonly Collection[],
): Collection[] {
  const shown = withPages(inferred, collections);
  return collections.map((collection) => ({
    ...collection,
    langs: collection.langs ?? (hasLanguages(languages) ? [languages.main] : undefined),
    backlinks: shown.includes(collection) ? findBacklinks(inferred, collection.model, shown) : [],
  }));
}

/** The sections of a site, the most important one first: with a body, then by the number of items. */
export function createSections(
  inferred: Inferred,
  survey: Pick<Survey, 'models'>,
  collections: readonly Collection[],
): Section[] {
  const sizes = new Map(survey.models.map(({ name, total }) => [name, total]));
  const sizeOf = ({ model }: Collection) => sizes.get(model) ?? 0;
  const rank = ({ body }: Collection) => (body === undefined ? 1 : 0);
  return withPages(inferred, collections)
    .toSorted((a, b) => rank(a) - rank(b) || sizeOf(b) - sizeOf(a))
    .map((collection) => createSection(fieldsOf(inferred.models, collection.model), collection));
}

/** A page needs a title. If no model has one, the ids are shown. */
function withPages({ models }: Inferred, collections: readonly Collection[]): readonly Collection[] {
  // `getCollection('constructor')` takes it for a live collection.
  const readable = collections.filter(({ model }) => !(model in {}));
  const titled = readable.filter(({ model }) => titleField(fieldsOf(models, model)) !== undefined);
  return titled.length > 0 ? titled : readable;
}

function createSection(fields: FieldsBase, { model, id, body, langs, backlinks = [] }: Collection): Section {
  const firstThat = (fits: (field: FieldBase) => boolean) =>
    Object.entries(fields).find(([, field]) => fits(field))?.[0];
  const image = firstThat(isMedia);
  const lead = firstThat((field) => fieldTypeOf(field).text === 'lines');
  const elsewhere = new Set([titleField(fields), id, body, image, lead]);
  const others = Object.entries(fields).filter(
    ([luid, field]) =>
      !elsewhere.has(luid) && !FOR_MACHINES.test(luid) && fieldTypeOf(field).operand !== 'boolean',
  );
  return {
    model,
    // Astro ignores pages in folders whose name starts with an underscore. No LUID has a hyphen.
    folder: model.replace(/^_/, 'entries-'),
    id: id ?? '_id',
    body,
    langs,
    image,
    lead,
    fields: others.map(([luid, field]) => ({ luid, html: htmlPaths(field) })),
    backlinks,
  };
}

/** Descriptions for search engines, which repeat what a page shows. */
const FOR_MACHINES = /^(seo|meta|ogp?)(_|$)/;

function htmlPaths(field: FieldBase, path = ''): string[] {
  if (isRichText(field)) return [path];
  return childGroups(field).flatMap(([set, group]) => {
    const prefix = groupPath(path, set).replace(/^\./, '');
    return Object.entries(group).flatMap(([luid, inner]) => htmlPaths(inner, prefix + luid));
  });
}

/** A list for each model with a reference field that leads to the model. */
function findBacklinks(
  { models }: Inferred,
  model: string,
  shown: readonly Collection[],
): readonly Backlink[] {
  return shown.flatMap(({ model: from }) => {
    const leadsHere = (field: FieldBase) => isReference(field) && targetsOf(field)?.includes(model);
    const [by] = Object.entries(fieldsOf(models, from)).find(([, field]) => leadsHere(field)) ?? [];
    const isTaken = Object.hasOwn(fieldsOf(models, model), from) || from.startsWith('_');
    return by === undefined || isTaken ? [] : { name: from, from, by, limit: MAX_BACKLINKS };
  });
}
