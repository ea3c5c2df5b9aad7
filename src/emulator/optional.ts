import { Refusal } from './http/refusal.ts';

/**
 * A package is missing that only some requests need. 501 rather than 500, so that no client takes it for
 * a failure that may pass and tries again.
 */
export class MissingPackage extends Refusal {
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
 * Loads the function or class `key` of a package that only some requests need. `purpose` completes
 * "needs the package …". A bundler may put an empty module in the place of a missing package, so one
 * without that export counts as missing.
 */
export async function optional<Exports extends object, Key extends keyof Exports & string>(
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
    throw new MissingPackage(name, purpose, cause);
  }
}
