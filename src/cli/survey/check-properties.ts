import type { QueryParameters } from '../../client/http/canonical-url.ts';
import type { WireContent } from '../../contract/content.ts';
import { isLuid } from '../../contract/luid.ts';
import { LuidContentError } from '../../shared/errors.ts';
import { isRecord } from '../../shared/is-record.ts';
import { printable } from '../../shared/printable.ts';

/** Throws if the service sent invalid system properties (§2) or field names, which become names in code. */
export function checkProperties(item: WireContent, { select }: QueryParameters): void {
  const selected = select === undefined ? ['_id', '_model'] : String(select).split(',');
  const problem = findProblem(item, selected);
  if (problem === undefined) return;
  const name = Number.isSafeInteger(item._id) ? `Content ${item._id}` : 'Content without _id';
  throw new LuidContentError(name + problem, {
    hint: 'The service never sends this. Check the URL, and whether a proxy changes the responses.',
  });
}

function findProblem(item: WireContent, selected: readonly string[]): string | undefined {
  const { _id, _model, _space, _langs } = item;
  if (selected.includes('_id') && !Number.isSafeInteger(_id)) return `: _id is ${show(_id)}`;
  if (selected.includes('_model') && !isLuid(_model)) return `: _model is ${show(_model)}`;
  if (isPresent(_space) && !isLuid(_space)) return `: _space is ${show(_space)}`;
  if (isPresent(_langs) && !isLanguages(_langs)) return `: _langs is ${show(_langs)}`;
  const name = findInvalidName(item);
  return name === undefined ? undefined : ` has a field ${show(name)}, which is not a LUID`;
}

/** The first field name, at any level, that is not a LUID (§1). */
function findInvalidName(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const names = Array.isArray(value) ? [] : Object.keys(value);
  const inside = () => Object.values(value).map(findInvalidName);
  return names.find((name) => !isLuid(name)) ?? inside().find((name) => name !== undefined);
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isLanguages(value: unknown): boolean {
  if (!isRecord(value) || !Array.isArray(value.available)) return false;
  return [value.current, ...value.available].every(
    (lang) => typeof lang === 'string' && /^[\w-]+$/.test(lang),
  );
}

function show(value: unknown): string {
  return printable(JSON.stringify(value) ?? 'missing', 80);
}
