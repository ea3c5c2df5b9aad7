import * as z from 'zod';
import { parseInstant } from '../../contract/instant.ts';
import { timeOrderKey } from '../order-keys.ts';
import { expected, type FieldBase, type FieldType } from './field-type.ts';

export interface DatetimeField extends FieldBase {
  readonly type: 'datetime';
}

type Time = Date | string;

export interface DatetimeTypes<T> {
  value: T;
  empty: null;
  where: { lt?: Time; lte?: Time; gt?: Time; gte?: Time };
  write: Time;
  sortable: true;
  usableAsId: true;
}

/** Parses the service's ISO 8601 times to `Date`. Accepts a `Date`, so that data can be parsed twice. */
export function instant(): z.ZodType<Date> {
  return z.preprocess((value) => parseDate(value) ?? value, z.date({ error: expected('an ISO 8601 time') }));
}

/** The `Date` of one of the service's times, or `undefined`. */
export function parseDate(value: unknown): Date | undefined {
  const time = typeof value === 'string' ? parseInstant(value, UTC) : undefined;
  return time === undefined ? undefined : new Date(time);
}

const UTC = { assumeUtc: true };

export const datetime: FieldType<DatetimeField> = {
  empty: () => null,
  operators: ['lt', 'lte', 'gt', 'gte'],
  orderKey: timeOrderKey,
  usableAsId: true,
  keys: [],
  schema: instant,
  quickParse: (_field, value) => parseDate(value),
};
