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
import {
  type DeclaredField,
  type DeclaredGroup,
  type DeclaredObject,
  type DeclaredSpace,
  readSpace,
} from './read-space.ts';

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
  /** The export name of the space. */
  readonly name: string;
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
  return { name: space.name, differences, hasNew, text: result };
}

function compareSpace(space: DeclaredSpace, inferred: Inferred, survey: Surveyed): Update {
  const update = new Update(space, inferred);
  const { languages, discovery } = survey;
  const spreads = (space.options.properties as Node[]).some(({ type }) => type === 'SpreadElement');
  if (hasLanguages(languages) && !spreads && !propertyOf(space.options, 'languages')) {
    update.add('languages', space.options, { code: languagesCode(languages) }, languages);
  }
  for (const model of survey.models) {
    const { name } = model;
    const fields = declaredFields(inferred.models, name);
    if (space.models.members.has(name)) {
      update.compareGroup(name, space.models.members.get(name), fields ?? {});
    } else if (fields && !space.models.isOpen) {
      update.add(name, space.models.object, { code: modelCode(update.context, model) ?? '' }, fields);
    }
  }
  const seen = new Set([...discovery.models, ...survey.models.map(({ name }) => name)]);
  for (const name of space.models.members.keys()) {
    if (!seen.has(name) && discovery.inspected === discovery.total) update.remove(name, 'a model');
  }
  return update;
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

interface Addition {
  readonly member: Member;
  /** What its code declares. */
  readonly value: object;
}

class Update {
  readonly differences: Difference[] = [];
  /** By object literal, then by name. */
  readonly #additions = new Map<Node, Map<string, Addition>>();
  readonly #space: DeclaredSpace;
  /** What new code is generated from, with the name that `field` has or will have in the file. */
  readonly context: Inferred & { readonly field: string };

  constructor(space: DeclaredSpace, inferred: Inferred) {
    this.#space = space;
    this.context = { ...inferred, field: space.field ?? freeName(space.source, 'field') };
  }

  /** Adds a member whose code declares `value`. */
  add(place: string, object: Node, member: Member, value: object): void {
    this.differences.push({ kind: 'added', place, found: firstLine(member.code) });
    const additions = this.#additions.get(object) ?? new Map<string, Addition>();
    this.#additions.set(object, additions);
    const name = place.slice(place.lastIndexOf('.') + 1);
    // A constant that is used twice is compared twice.
    const known = additions.get(name);
    if (!known) additions.set(name, { member, value });
    else if (!isDeepStrictEqual(known.value, value)) {
      throw new UnsupportedSyntaxError(`\`${name}\` differs where a constant is used`);
    }
  }

  remove(place: string, declared: string): void {
    this.differences.push({ kind: 'removed', place, declared: firstLine(declared) });
  }

  compareGroup(place: string, declared: DeclaredGroup | undefined, found: Fields): void {
    if (!declared) return;
    this.#compareMembers(declared, found as Record<string, Field>, {
      place,
      compare: (path, known, field) => this.compareField(path, known, field),
      code: (name, field) => fieldCode(this.context, place, name, field),
    });
    for (const [name, { code }] of declared.members) {
      if (!Object.hasOwn(found, name)) this.remove(`${place}.${name}`, code);
    }
  }

  #compareMembers<D, F extends object>(
    { object, members, isOpen }: DeclaredObject<D>,
    found: Readonly<Record<string, F>>,
    how: {
      readonly place: string;
      readonly compare: (path: string, declared: D, found: F) => void;
      readonly code: (name: string, found: F) => Member;
    },
  ): void {
    for (const [name, value] of Object.entries(found)) {
      const path = `${how.place}.${name}`;
      if (members.has(name)) how.compare(path, members.get(name) as D, value);
      else if (!isOpen) this.add(path, object, how.code(name, value), value);
    }
  }

  compareField(place: string, declared: DeclaredField, found: Field): void {
    const change = findContradiction(declared, found, this.context.evidence.get(place));
    if (change !== undefined) {
      this.differences.push({ kind: 'changed', place, declared: firstLine(declared.code), found: change });
    }
    if (declared.type !== found.type) return;
    const { fields, sets } = found as { fields?: Fields; sets?: Record<string, Fields> };
    if (fields) this.compareGroup(place, declared.group, fields);
    if (!sets || !declared.sets) return;
    this.#compareMembers(declared.sets, sets, {
      place,
      compare: (path, known, group) => this.compareGroup(path, known, group),
      code: (name, group) => groupCode(this.context, place, name, group),
    });
  }

  apply(): string {
    const { source } = this.#space;
    const style = detectStyle(source);
    const changes: Change[] = [];
    for (const [object, additions] of this.#additions) {
      const members = [...additions.values()].map(({ member }) => member);
      changes.push(...insertMembers(source, object, members, style));
    }
    const { field } = this.context;
    const usesField = changes.some(({ text }) => text.includes(`${field}.`));
    if (this.#space.field === undefined && usesField) {
      const { end } = this.#space.importOfDefine;
      changes.push({ start: end, end, text: `, ${asLocal('field', field)}` });
    }
    return applyChanges(source.text, changes);
  }
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
