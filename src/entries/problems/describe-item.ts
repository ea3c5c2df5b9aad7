import type { WireContent } from '../../contract/content.ts';
import { printable } from '../../shared/printable.ts';

export type ItemIdentity = Pick<WireContent, '_id' | '_model' | '_title'>;

const MAX_NAME_LENGTH = 60;

/** `article 101 "Title"`. The title is omitted if it is not a string. */
export function describeItem({ _model, _id, _title }: ItemIdentity): string {
  const title = typeof _title === 'string' ? ` ${printable(JSON.stringify(_title), MAX_NAME_LENGTH)}` : '';
  return `${describeModel(_model)} ${_id}${title}`;
}

/** The response is not trusted: `_model` may be of any type. */
export function describeModel(model: unknown): string {
  return typeof model === 'string' ? printable(model, MAX_NAME_LENGTH) : 'content';
}
