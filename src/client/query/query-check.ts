import { LuidConfigError } from '../../shared/errors.ts';
import { isRecord } from '../../shared/is-record.ts';
import {
  anything,
  boolean,
  checkOptions,
  either,
  type OptionRules,
  showValue,
  string,
  strings,
} from '../../shared/options.ts';
import { printable } from '../../shared/printable.ts';

const isPlainObject = (value: unknown) => isRecord(value) && !(value instanceof Date);

// The service rejects numbers that are out of range, and the hint of that error names them.
const number = { expected: 'a number', accepts: (value: unknown) => typeof value === 'number' };
const where = { expected: "an object such as { title: { eq: 'x' } }", accepts: isPlainObject };

const QUERIES = queryRules();

/* @__NO_SIDE_EFFECTS__ */
function queryRules() {
  const list = either(string, strings);
  const shape = { depth: number, select: strings, lang: string, fallback: boolean, format: anything };
  const filter = { where, contains: list, space: string };
  const iterate = { ...shape, ...filter, order: list };
  return {
    list: { ...iterate, limit: number, offset: number },
    iterate,
    get: { ...shape, include: strings, neighbours: anything },
    count: { ...filter, lang: string, fallback: boolean },
  } satisfies Record<string, OptionRules>;
}

/** Throws for a query that the service would misunderstand. */
export function checkQuery(name: keyof typeof QUERIES, query: object): void {
  checkOptions(name, query, QUERIES[name]);
  const conditions = Object.entries((query as { where?: object }).where ?? {});
  const invalid = conditions.find(([, condition]) => condition !== undefined && !isPlainObject(condition));
  if (!invalid) return;
  const [path, value] = invalid;
  const shown = value instanceof Date ? 'date' : showValue(value);
  const place = `${name}: where: ${printable(path, 60)}`;
  throw new LuidConfigError(`${place} must be an object with an operator, got ${shown}`, {
    field: path,
    hint: `Write { ${Array.isArray(value) ? 'in' : value instanceof Date ? 'gte' : 'eq'}: ${shown} }, or another operator that the field’s type allows.`,
  });
}
