import { errorMessage } from '../../shared/errors.ts';
import type { Assumptions } from '../assumptions.ts';
import type { ContentsControl } from '../control/control-contents.ts';
import type { MediaControl } from '../control/control-media.ts';
import type { EmulatorContext } from '../http/emulator-context.ts';
import type { Faults } from '../http/faults.ts';
import { errorBody } from '../http/http-error.ts';
import type { RequestLog } from '../http/request-log.ts';
import type { SeedConverter } from '../state/seed-converter.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { StudioHttpError } from './studio-http-error.ts';

/** The part of an `Emulator` that the studio uses. */
interface ControlledEmulator {
  readonly contents: ContentsControl;
  readonly media: MediaControl;
  readonly faults: Faults;
  readonly assumptions: Assumptions;
}

/** What the studio works with. */
export interface StudioContext {
  readonly emulator: ControlledEmulator;
  readonly webhooks: Webhooks;
  /** As for a request to the API. */
  readonly requestContext: () => EmulatorContext;
  readonly converter: SeedConverter;
  readonly log: RequestLog;
  /** The access token. */
  readonly token: string;
  /** Calls the listener after every logged request and every change. Returns a function that removes it. */
  readonly onActivity: (listener: () => void) => () => void;
  /** Calls these listeners. */
  readonly reportActivity: () => void;
}

/** Waits until a change is in the data file, if there is one. Throws a 500 with the reason if it cannot be written. */
export async function waitUntilSaved({ requestContext }: StudioContext): Promise<void> {
  try {
    await requestContext().writeQueue.lastSave;
  } catch (error) {
    const explanation = `The change is in memory, but not in the data file: ${errorMessage(error)}`;
    throw new StudioHttpError(errorBody({ status: 500, explanation }));
  }
}
