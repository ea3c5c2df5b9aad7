import { HttpError } from './http/http-error.ts';

/** An optional package is not installed. 501 rather than 500, so that clients do not retry. */
export class MissingPackageError extends HttpError {
  readonly package: string;

  constructor(name: string, purpose: string, cause: unknown) {
    super(501, {
      explanation: `The emulator needs the package ${name} ${purpose}. Run: npm install ${name}`,
    });
    this.package = name;
    this.cause = cause;
  }
}

/**
 * Loads the function or class `key` of an optional package. `purpose` completes "needs the package …". Some
 * bundlers replace a missing package by an empty module, so one without that export counts as missing.
 */
export async function loadOptional<Exports extends object, Key extends keyof Exports & string>(
  name: string,
  purpose: string,
  load: () => Promise<Exports>,
  key: Key,
): Promise<Exports[Key]> {
  try {
    const value = (await load())[key];
    if (typeof value !== 'function') throw new TypeError(`${name} does not export ${key}`);
    return value;
  } catch (cause) {
    throw new MissingPackageError(name, purpose, cause);
  }
}
