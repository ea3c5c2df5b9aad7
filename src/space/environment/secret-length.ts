import { LuidConfigError } from '../../shared/errors.ts';

/** Shorter secrets can be guessed: online, and from the server bundle, which contains what is derived from an option. */
const MIN_LENGTH = 16;

/** What a secret has to be, for the response of an endpoint that has none. */
export const LONG_SECRET = `at least ${MIN_LENGTH} characters, such as the output of \`openssl rand -hex 32\``;

export function isLongEnough(secret: string): boolean {
  return secret.length >= MIN_LENGTH;
}

/** Throws for a secret that is too short. An empty one is none. */
export function checkSecretLength(name: string, secret: string | undefined): void {
  if (!secret || isLongEnough(secret)) return;
  throw new LuidConfigError(`${name} is too short: it can be guessed`, { hint: `Use ${LONG_SECRET}.` });
}
