import { Refusal } from './refusal.ts';

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

/** Loads a package that only some requests need. `purpose` completes "needs the package …". */
export async function optional<T>(name: string, purpose: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new MissingPackage(name, purpose, cause);
  }
}
