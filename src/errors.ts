/** Where an error happened. Everything is optional; nothing here ever holds a key. */
export interface ErrorDetails {
  /** HTTP status of the answer. */
  status?: number | undefined;
  /** The service's own error code (§7). */
  code?: string | undefined;
  /** The address asked, without secrets. */
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

/**
 * What every error of this package extends. The message says what happened and where; the hint,
 * which the message ends with, says what to do.
 */
export class LuidError extends Error {
  override readonly name: string = 'LuidError';
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly url: string | undefined;
  readonly model: string | undefined;
  readonly id: number | undefined;
  readonly field: string | undefined;
  readonly hint: string | undefined;

  constructor(message: string, details: ErrorDetails = {}) {
    super(messageOf(message, details.hint), {
      ...(details.cause === undefined ? {} : { cause: details.cause }),
    });
    this.status = details.status;
    this.code = details.code;
    this.url = details.url;
    this.model = details.model;
    this.id = details.id;
    this.field = details.field;
    this.hint = details.hint;
  }

  /** Compares names, not classes, so that it holds across two installed copies of the package. */
  static is(error: unknown): error is LuidError {
    return error instanceof Error && FAMILY.has(error.name);
  }
}

/** The message of whatever was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Without a full stop at its end, since Astro ends messages that it quotes with its own. */
function messageOf(message: string, hint: string | undefined): string {
  const whole = hint === undefined ? message : `${message}\n  → ${hint}`;
  return whole.replace(/(?<!\.)\.$/, '');
}

/** The same error with one more thing to do. */
export function withHint(error: LuidError, hint: string): LuidError {
  const { message, status, code, url, model, id, field, cause } = error;
  const own = error.hint === undefined ? '' : messageOf('', error.hint);
  const Kind = CLASSES[error.name] ?? LuidError;
  const what = own && message.endsWith(own) ? message.slice(0, -own.length) : message;
  const both = error.hint === undefined ? hint : `${error.hint}\n  → ${hint}`;
  return new Kind(what, { status, code, url, model, id, field, cause, hint: both });
}

/** A space, model map, option or environment that cannot work. */
export class LuidConfigError extends LuidError {
  override readonly name = 'LuidConfigError';
  static override is(error: unknown): error is LuidConfigError {
    return error instanceof Error && error.name === 'LuidConfigError';
  }
}

/** The service refused a request, or could not be reached. */
export class LuidRequestError extends LuidError {
  override readonly name = 'LuidRequestError';
  static override is(error: unknown): error is LuidRequestError {
    return error instanceof Error && error.name === 'LuidRequestError';
  }
}

/** The service answered, but not in the shape that its specification gives. */
export class LuidResponseError extends LuidError {
  override readonly name = 'LuidResponseError';
  static override is(error: unknown): error is LuidResponseError {
    return error instanceof Error && error.name === 'LuidResponseError';
  }
}

/** Content that does not fit the declared models. */
export class LuidContentError extends LuidError {
  override readonly name = 'LuidContentError';
  static override is(error: unknown): error is LuidContentError {
    return error instanceof Error && error.name === 'LuidContentError';
  }
}

/** By names that minifiers do not change. */
const CLASSES: Readonly<Record<string, typeof LuidError>> = {
  LuidConfigError,
  LuidRequestError,
  LuidResponseError,
  LuidContentError,
};
const FAMILY = new Set([
  'LuidError',
  'LuidConfigError',
  'LuidRequestError',
  'LuidResponseError',
  'LuidContentError',
]);
