/** Where an error happened and what to do. Never contains a key. */
export interface ErrorDetails {
  /** HTTP status of the response. */
  status?: number | undefined;
  /** The service's own error code (§7). */
  code?: string | undefined;
  /** The requested URL, without secrets. */
  url?: string | undefined;
  model?: string | undefined;
  /** Content ID. */
  id?: number | undefined;
  /** Path of the field, e.g. `sections[2].fields.image`. */
  field?: string | undefined;
  /** What to do next. */
  hint?: string | undefined;
  cause?: unknown;
}

/** The base class of all errors of this package. The message ends with the hint, if there is one. */
export class LuidError extends Error {
  override readonly name: string = 'LuidError';
  declare readonly status: number | undefined;
  declare readonly code: string | undefined;
  declare readonly url: string | undefined;
  declare readonly model: string | undefined;
  declare readonly id: number | undefined;
  declare readonly field: string | undefined;
  declare readonly hint: string | undefined;

  constructor(message: string, details: ErrorDetails = {}) {
    const { cause, ...place } = details;
    super(withoutPeriod(message + hintLine(details.hint)), cause === undefined ? {} : { cause });
    Object.assign(this, place);
  }

  /** Compares names, not classes, so that errors of another installed copy of the package match too. */
  static is(error: unknown): error is LuidError {
    return error instanceof Error && /^Luid\w*Error$/.test(error.name);
  }
}

/** The message of anything that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function hintLine(hint: string | undefined): string {
  return hint === undefined ? '' : `\n  → ${hint}`;
}

/** Astro adds a period to the messages that it quotes. */
function withoutPeriod(message: string): string {
  return message.replace(/(?<!\.)\.$/, '');
}

/** What happened and where, without the hint. */
export function messageWithoutHint({ message, hint }: LuidError): string {
  const suffix = withoutPeriod(hintLine(hint));
  return suffix && message.endsWith(suffix) ? message.slice(0, -suffix.length) : message;
}

/** A copy of the error with one more hint. */
export function withHint(error: LuidError, hint: string): LuidError {
  const { status, code, url, model, id, field, cause } = error;
  const both = error.hint === undefined ? hint : error.hint + hintLine(hint);
  const ErrorClass = CLASSES[error.name] ?? LuidError;
  return new ErrorClass(messageWithoutHint(error), {
    status,
    code,
    url,
    model,
    id,
    field,
    cause,
    hint: both,
  });
}

function hasName(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}

/** An invalid space, model map, option or environment variable. */
export class LuidConfigError extends LuidError {
  override readonly name = 'LuidConfigError';
  static override is(error: unknown): error is LuidConfigError {
    return hasName(error, 'LuidConfigError');
  }
}

/** The service rejected a request, or could not be reached. */
export class LuidRequestError extends LuidError {
  override readonly name = 'LuidRequestError';
  static override is(error: unknown): error is LuidRequestError {
    return hasName(error, 'LuidRequestError');
  }
}

/** A response that does not follow the service's specification. */
export class LuidResponseError extends LuidError {
  override readonly name = 'LuidResponseError';
  static override is(error: unknown): error is LuidResponseError {
    return hasName(error, 'LuidResponseError');
  }
}

/** Content that does not match the declared models. */
export class LuidContentError extends LuidError {
  override readonly name = 'LuidContentError';
  static override is(error: unknown): error is LuidContentError {
    return hasName(error, 'LuidContentError');
  }
}

/** By name: minifiers rename classes. */
const CLASSES: Readonly<Record<string, typeof LuidError>> = {
  LuidConfigError,
  LuidRequestError,
  LuidResponseError,
  LuidContentError,
};
