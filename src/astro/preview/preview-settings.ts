import { findEndpointSecret } from '../../space/environment/environment.ts';
import { publicKeyOf } from './preview-token.ts';

/** What the integration passes to the server of the site. */
export interface PreviewSettings {
  /** The public key of the option `secret`. */
  readonly publicKey: string | undefined;
  /** Seconds until a preview ends. */
  readonly maxAge: number;
  readonly base: string;
  /** Whether URLs of the site end with a slash: `trailingSlash: 'always'`. Astro finds no others. */
  readonly hasTrailingSlash: boolean;
  readonly editUrl: string | undefined;
  /** Whether pages without `<PreviewBar />` get the bar. */
  readonly addsBar: boolean;
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

/** The public key of the secret. Without a secret there is no preview. */
export async function findPublicKey({
  publicKey,
}: Pick<PreviewSettings, 'publicKey'>): Promise<string | undefined> {
  if (publicKey) return publicKey;
  const secret = await findEndpointSecret('LUID_PREVIEW_SECRET');
  return secret && publicKeyOf(secret);
}
