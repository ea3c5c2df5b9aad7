import { badRequest } from '../http/http-error.ts';

/** A request to the studio's API and what its path contains. */
export interface StudioRequest {
  readonly request: Request;
  readonly query: URLSearchParams;
  /** Empty where the path has none. */
  readonly id: string;
  readonly action: string;
}

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
