import { findPreviewSecret } from '../../space/environment.ts';
import { fromHex, hashOfSecret } from './preview-token.ts';

/** What the integration passes to the server of the site. */
export interface PreviewSettings {
  /** SHA-256 of the option `secret`, in hex. */
  readonly secretHash: string | undefined;
  /** Seconds until a preview ends. */
  readonly maxAge: number;
  readonly base: string;
  /** Whether URLs of the site end with a slash: `trailingSlash: 'always'`. Astro finds no others. */
  readonly hasTrailingSlash: boolean;
  readonly editUrl: string | undefined;
  /** All routes, the most specific first. */
  readonly routes: readonly PreviewRoute[];
}

export interface PreviewRoute {
  /** Which paths it matches: the source of a regular expression. */
  readonly pattern: string;
  /** Whether it is a page: not an endpoint or a redirect. */
  readonly isPage: boolean;
  readonly isPrerendered: boolean;
  /** Whether it shows a prerendered page on demand, for the preview. */
  readonly isTwin: boolean;
}

/** The hash of the secret. Without a secret there is no preview. */
export async function findSecretHash({
  secretHash,
}: Pick<PreviewSettings, 'secretHash'>): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (secretHash) return fromHex(secretHash);
  const secret = await findPreviewSecret();
  return secret ? hashOfSecret(secret) : undefined;
}
