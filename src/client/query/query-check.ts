import { LuidConfigError } from '../../errors.ts';
import {
  anything,
  boolean,
  checkOptions,
  either,
  type OptionRules,
  showValue,
  string,
  strings,
} from '../../options.ts';

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

// The service itself refuses numbers that are out of range, and the hint of that error names them.
const number = { expected: 'a number', accepts: (value: unknown) => typeof value === 'number' };
const where = { expected: "an object such as { title: { eq: 'x' } }", accepts: isObject };

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

/** Refuses a query that the service would take for another one. */
export function checkQuery(name: keyof typeof QUERIES, query: object): void {
  checkOptions(name, query, QUERIES[name]);
  const conditions = Object.entries((query as { where?: object }).where ?? {});
  const wrong = conditions.find(([, condition]) => condition !== undefined && !isObject(condition));
  if (!wrong) return;
  const [path, value] = wrong;
  const shown = value instanceof Date ? 'date' : showValue(value);
  throw new LuidConfigError(`${name}: where: ${path} must be an object with an operator, got ${shown}`, {
    field: path,
    hint: `Write { ${Array.isArray(value) ? 'in' : value instanceof Date ? 'gte' : 'eq'}: ${shown} }, or another operator that the field’s type allows.`,
  });
}
