import { errorBody } from '../http/http-error.ts';
import type { FieldProblem, StudioError, StudioItem } from './studio-types.ts';

/** An error response with more than §7 has. */
export class StudioHttpError extends Error {
  readonly body: StudioError;

  constructor(body: StudioError) {
    super(body.message ?? body.code);
    this.body = body;
  }
}

/** Values that are not valid, with the service's own status and code. */
export function invalidValues(problems: readonly FieldProblem[]): StudioHttpError {
  const paths = problems.map(({ path }) => path).join(', ');
  const explanation = `The service would refuse ${problems.length === 1 ? 'the value' : 'the values'} of ${paths}.`;
  return new StudioHttpError({ ...errorBody({ status: 400, explanation }), problems });
}

/** The item was changed since the page loaded it. */
export function conflict(current: StudioItem): StudioHttpError {
  const message = `Content ${current.id} was changed in the meantime. Nothing was saved.`;
  return new StudioHttpError({ status: '409', code: 'Conflict', message, current });
}

export function badRequestBecause(explanation: string): StudioHttpError {
  return new StudioHttpError(errorBody({ status: 400, explanation }));
}
