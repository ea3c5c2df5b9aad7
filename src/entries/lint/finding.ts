import { describeItem } from '../problems/describe-item.ts';
import type { Severity } from './rule.ts';

/** A problem of one item. Its strings are those of the content: whatever prints it escapes them. */
export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  readonly model: string;
  readonly id: number;
  /** Absent in a space without languages. */
  readonly lang?: string;
  readonly title: string;
  /** Empty for the item as a whole. */
  readonly field: string;
  readonly message: string;
  readonly fix: string;
}

/** `article 101 "Title"` */
export function itemOf({ id: _id, model: _model, title: _title }: Finding): string {
  return describeItem({ _id, _model, _title });
}

/** `body (en): "#x" leads to no heading` */
export function problemOf({ field, lang, message }: Finding): string {
  const place = [field, lang && `(${lang})`].filter(Boolean).join(' ');
  return place ? `${place}: ${message}` : message;
}
