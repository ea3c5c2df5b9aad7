import { errorMessage } from '../../errors.ts';
import { errorBody } from '../http/http-error.ts';
import type { StudioContext } from './studio-context.ts';
import { StudioHttpError } from './studio-http-error.ts';

/** Waits until a change is in the data file, if there is one. Throws a 500 with the reason if it cannot be written. */
export async function waitUntilSaved({ requestContext }: StudioContext): Promise<void> {
  try {
    await requestContext().writeQueue.lastSave;
  } catch (error) {
    const explanation = `The change is in memory, but not in the data file: ${errorMessage(error)}`;
    throw new StudioHttpError(errorBody({ status: 500, explanation }));
  }
}
