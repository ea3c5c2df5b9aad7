import { badRequest } from '../http/http-error.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;

/** `offset` and `limit` of a list in the studio. */
export function parsePageParameters(query: URLSearchParams): { offset: number; limit: number } {
  return {
    offset: parseWholeNumber(query.get('offset'), 0),
    limit: Math.min(MAX_LIMIT, parseWholeNumber(query.get('limit'), DEFAULT_LIMIT)),
  };
}

export function parseWholeNumber(text: string | null, absent: number): number {
  if (text === null) return absent;
  if (!/^\d{1,15}$/.test(text)) throw badRequest();
  return Number(text);
}
