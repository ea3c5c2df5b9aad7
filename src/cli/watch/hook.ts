import { type ErrorDetails, LuidError } from '../../shared/errors.ts';

/** A deploy hook, called when content changes. */
export interface Hook {
  /** The name shown to users; contains no secret. */
  readonly name: string;
  /** Identifies the target. May contain a secret: only for hashing. */
  readonly identity: string;
  /** Resolves once the target has accepted the call; throws `HookError` if it has not, or may not have. */
  fire(signal: AbortSignal): Promise<void>;
}

interface HookErrorDetails extends ErrorDetails {
  /** Retrying soon does not help: the URL or a secret is wrong. */
  readonly isRefused?: boolean;
  /** Milliseconds to wait, from the `Retry-After` header. */
  readonly retryAfter?: number | undefined;
}

export class HookError extends LuidError {
  declare readonly isRefused?: boolean;
  declare readonly retryAfter?: number | undefined;

  constructor(message: string, details: HookErrorDetails) {
    super(message, details);
  }
}
