import { isDeepStrictEqual } from 'node:util';
import type { Field } from '../../../models/field-types/index.ts';
import { declaredFields } from '../../../models/fields-of.ts';
import type { Fields } from '../../../models/types.ts';
import { cliFieldTypeOf, haveSameShape } from '../../field-types/index.ts';
import type { Evidence, Inferred } from '../../infer/infer.ts';
import type { Survey } from '../../survey/survey.ts';
import { applyChanges, type Change, detectStyle, insertMembers, type Member } from '../edit/insert-code.ts';
import { asLocal, freeName } from '../edit/module-edit.ts';
import { type Node, propertyOf, UnsupportedSyntaxError } from '../edit/parse-source.ts';
import { fieldCode, groupCode, hasLanguages, languagesCode, modelCode } from './generate-space-file.ts';
import { type DeclaredField, type DeclaredGroup, type DeclaredSpace, readSpace } from './read-space.ts';

/** A difference between the space file and the content. */
export interface Difference {
  readonly kind: 'added' | 'removed' | 'changed';
  /** `article.seo.description` */
  readonly place: string;
  /** What the file declares, and what was found in the content. */
  readonly declared?: string | undefined;
  readonly found?: string | undefined;
}

export interface SpaceUpdate {
  readonly differences: readonly Difference[];
  readonly hasNew: boolean;
  /** The file with new models and fields added, otherwise unchanged. */
  readonly text: string;
}

type Surveyed = Pick<Survey, 'models' | 'languages' | 'discovery'>;

/** Compares a space file with the content, field by field. Throws `UnsupportedSyntaxError`. */
export function updateSpace(text: string, inferred: Inferred, survey: Surveyed): SpaceUpdate {
  const space = readSpace(text);
  const update = compareSpace(space, inferred, survey);
  const { differences } = update;
  const hasNew = differences.some(({ kind }) => kind === 'added');
  const result = update.apply();
  if (hasNew) verifyUpdate(compareSpace(readSpace(result), inferred, survey).differences, differences);
  return { differences, hasNew, text: result };
}

/** Members to add to an object literal: the code of each, and what it declares. */
type Additions = Map<string, { readonly member: Member; readonly value: object }>;

function compareSpace(space: DeclaredSpace, inferred: Inferred, { languages, models, discovery }: Surveyed) {
  const differences: Difference[] = [];
  const additions = new Map<Node, Additions>();
  /** What new code is generated from, with the name that `field` has or will have in the file. */
  const context = { ...inferred, field: space.field ?? freeName(space.source, 'field') };

  const spreads = (space.options.properties as Node[]).some(({ type }) => type === 'SpreadElement');
  if (hasLanguages(languages) && !spreads && !propertyOf(space.options, 'languages')) {
    add('languages', space.options, { code: languagesCode(languages) }, languages);
  }
  for (const model of models) {
    const { name } = model;
    const fields = declaredFields(inferred.models, name);
    if (space.models.members.has(name)) compareGroup(name, space.models.members.get(name), fields ?? {});
    else if (fields && !space.models.isOpen) {
      add(name, space.models.object, { code: modelCode(context, model) ?? '' }, fields);
    }
  }
  const seen = new Set([...discovery.models, ...models.map(({ name }) => name)]);
  for (const name of space.models.members.keys()) {
    if (!seen.has(name) && discovery.inspected === discovery.total) remove(name, 'a model');
  }
  return { differences, apply };

  function add(place: string, object: Node, member: Member, value: object): void {
    differences.push({ kind: 'added', place, found: firstLine(member.code) });
    const own: Additions = additions.get(object) ?? new Map();
    additions.set(object, own);
    const name = place.slice(place.lastIndexOf('.') + 1);
    // A constant that is used twice is compared twice.
    const known = own.get(name);
    if (!known) own.set(name, { member, value });
    else if (!isDeepStrictEqual(known.value, value)) {
      throw new UnsupportedSyntaxError(`\`${name}\` differs where a constant is used`);
    }
  }

  function remove(place: string, declared: string): void {
    differences.push({ kind: 'removed', place, declared: firstLine(declared) });
  }

  function compareGroup(place: string, declared: DeclaredGroup | undefined, found: Fields): void {
    if (!declared) return;
    const { object, members, isOpen } = declared;
    for (const [name, field] of Object.entries(found as Record<string, Field>)) {
      const path = `${place}.${name}`;
      const known = members.get(name);
      if (known) compareField(path, known, field);
      else if (!isOpen) add(path, object, fieldCode(context, place, name, field), field);
    }
    for (const [name, { code }] of members) {
      if (!Object.hasOwn(found, name)) remove(`${place}.${name}`, code);
    }
  }

  function compareField(place: string, declared: DeclaredField, found: Field): void {
    const change = findContradiction(declared, found, context.evidence.get(place));
    if (change !== undefined) {
      differences.push({ kind: 'changed', place, declared: firstLine(declared.code), found: change });
    }
    if (declared.type !== found.type) return;
    const { fields, sets } = found as { fields?: Fields; sets?: Record<string, Fields> };
    if (fields) compareGroup(place, declared.group, fields);
    if (!sets || !declared.sets) return;
    const { object, members, isOpen } = declared.sets;
    for (const [name, group] of Object.entries(sets)) {
      const path = `${place}.${name}`;
      if (members.has(name)) compareGroup(path, members.get(name), group);
      else if (!isOpen) add(path, object, groupCode(context, place, name, group), group);
    }
  }

  /** The text of the file with everything that is new. */
  function apply(): string {
    const { source } = space;
    const style = detectStyle(source);
    const changes: Change[] = [...additions].flatMap(([object, own]) =>
      insertMembers(
        source,
        object,
        [...own.values()].map(({ member }) => member),
        style,
      ),
    );
    const usesField = changes.some(({ text }) => text.includes(`${context.field}.`));
    if (space.field === undefined && usesField) {
      const { end } = space.importOfDefine;
      changes.push({ start: end, end, text: `, ${asLocal('field', context.field)}` });
    }
    return applyChanges(source.text, changes);
  }
}

/**
 * After the update nothing is new any more, and everything else differs as before. Only a constant that two models
 * share may gain fields that one of them does not have.
 */
function verifyUpdate(after: readonly Difference[], before: readonly Difference[]): void {
  const isRemoved = ({ kind }: Difference) => kind === 'removed';
  const removed = new Set(after.filter(isRemoved).map(({ place }) => place));
  const changed = before.filter(({ kind }) => kind === 'changed');
  const isCorrect =
    before.filter(isRemoved).every(({ place }) => removed.has(place)) &&
    isDeepStrictEqual(
      after.filter((one) => !isRemoved(one)),
      changed,
    );
  if (!isCorrect) throw new UnsupportedSyntaxError('the change could not be verified');
}

/** How the content contradicts a declaration; `undefined` if it does not, or is ambiguous. */
function findContradiction(
  declared: DeclaredField,
  found: Field,
  evidence: Evidence | undefined,
): string | undefined {
  const { type } = declared;
  if (type === undefined || cliFieldTypeOf(found).shape === 'something else') return undefined;
  if (type !== found.type) {
    // The user may know better than the inference.
    return haveSameShape({ type }, found) && evidence?.doubt ? undefined : found.type;
  }
  const { options, model } = found as { options?: readonly string[]; model?: string | readonly string[] };
  return (
    missingFrom(declared.options, options, 'further options') ??
    missingFrom(declared.models, typeof model === 'string' ? [model] : model, 'references to')
  );
}

function missingFrom(
  declared: readonly string[] | undefined,
  found: readonly string[] | undefined,
  what: string,
): string | undefined {
  const missing = declared ? (found ?? []).filter((one) => !declared.includes(one)) : [];
  return missing.length > 0 ? `${what} ${missing.map((one) => JSON.stringify(one)).join(', ')}` : undefined;
}

function firstLine(code: string): string {
  const [line = ''] = code.split('\n');
  return line === code ? line : `${line} …`;
}
