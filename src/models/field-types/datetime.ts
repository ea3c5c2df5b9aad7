import * as z from 'zod';
import { parseInstant } from '../../contract/instant.ts';
import { expected, type FieldBase, type Kind } from './field-type.ts';

export interface DatetimeField extends FieldBase {
  readonly type: 'datetime';
}

type Time = Date | string;

export interface DatetimeTypes<T> {
  value: T;
  empty: null;
  where: { lt?: Time; lte?: Time; gt?: Time; gte?: Time };
  write: Time;
}

/** A `Date` from the service's ISO 8601 text. A `Date` passes, so that parsing twice changes nothing. */
export function instant(): z.ZodType<Date> {
  const toDate = (value: unknown) => {
    const time = typeof value === 'string' ? parseInstant(value, { assumeUtc: true }) : undefined;
    return time === undefined ? value : new Date(time);
  };
  return z.preprocess(toDate, z.date({ error: expected('an ISO 8601 time') }));
}

export const datetime: Kind<DatetimeField> = {
  noun: 'an ISO 8601 time',
  empty: () => null,
  operators: ['lt', 'lte', 'gt', 'gte'],
  identifies: true,
  keys: [],
  schema: instant,
  write: () =>
    z.string({ error: expected('an ISO 8601 time') }).refine((value) => parseInstant(value) !== undefined, {
      error: expected('an ISO 8601 time with Z or an offset'),
    }),
};
