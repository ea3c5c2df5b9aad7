import { BadRequest } from './bad-request.ts';
import { containsAll } from './contains.ts';
import { type FieldPath, findFields } from './field-path.ts';
import { toInstant } from './instant.ts';
import type { Reader, Shown } from './reader.ts';
import { own, type Seed } from './reference-seed.ts';

export interface Filter {
  path: string;
  operator: string;
  operand: string;
}

const RANGE = ['lt', 'lte', 'gt', 'gte'];

/** §4.1: the table of operators per field type. */
const ALLOWED: Record<string, string[]> = {
  flexible_text: ['contains'],
  text: ['eq', 'in', 'contains'],
  multiline: ['eq', 'in', 'contains'],
  boolean: ['eq'],
  select: ['eq', 'in'],
  multi_select: ['has'],
  datetime: RANGE,
  media: [],
  reference: ['eq', 'in'],
  repeat: [],
  combination: [],
  field_set: [],
  unknown: [],
};

/** Refuses a filter that none of the models can answer. */
export function checkFilter(seed: Seed, models: string[], filter: Filter): void {
  const fieldPaths = models
    .flatMap((model) => findFields(seed, model, filter.path))
    .filter((fieldPath) => allows(fieldPath, filter));
  if (!fieldPaths.some((fieldPath) => makesSense(fieldPath.type, filter))) throw new BadRequest();
}

/** Whether an item meets a filter. Inside a repeat one entry is enough. */
export function meets(reader: Reader, shown: Shown, filter: Filter): boolean {
  return findFields(reader.seed, shown.content.model, filter.path)
    .filter((fieldPath) => allows(fieldPath, filter) && makesSense(fieldPath.type, filter))
    .some((fieldPath) =>
      fieldPath.values(reader, shown).some((value) => compare(fieldPath.type, value, filter)),
    );
}

function allows(fieldPath: FieldPath, { operator }: Filter): boolean {
  if (fieldPath.inRepeat && operator !== 'eq') return false;
  return (own(ALLOWED, fieldPath.type) ?? []).includes(operator);
}

/** Whether the operand is one of the type's: `true` or `false`, a time, content IDs; any text elsewhere. */
function makesSense(type: string, { operator, operand }: Filter): boolean {
  if (type === 'boolean') return operand === 'true' || operand === 'false';
  if (type === 'datetime') return toInstant(operand) !== undefined;
  if (type === 'reference') return listed(operator, operand).every((id) => /^\d+$/.test(id));
  return true;
}

/** Whether a value, which is `null` or `undefined` where there is none, stands so to the operand. */
function compare(type: string, value: unknown, { operator, operand }: Filter): boolean {
  if (operator === 'contains') return containsAll([[type, String(value ?? '')]], operand);
  if (operator === 'has') return ((value ?? []) as string[]).includes(operand);
  if (RANGE.includes(operator)) {
    return typeof value === 'string' && inRange(Date.parse(value), operator, toInstant(operand)!);
  }
  return listed(operator, operand).includes(String(value ?? ''));
}

function listed(operator: string, operand: string): string[] {
  return operator === 'in' ? operand.split(',') : [operand];
}

function inRange(value: number, operator: string, bound: number): boolean {
  if (operator === 'lt') return value < bound;
  if (operator === 'lte') return value <= bound;
  if (operator === 'gt') return value > bound;
  return value >= bound;
}
