import { LuidConfigError } from '../errors.ts';

/** Loads a package that only some of the emulator's work needs, or says which one is missing. */
export async function optional<T>(name: string, purpose: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new LuidConfigError(`The emulator needs ${name} to ${purpose}, and it cannot be loaded`, {
      hint: `npm install ${name}`,
      cause,
    });
  }
}
