import { SERVICES } from '../../../contract/services.ts';
import type { Environment } from '../../../space/environment/env-files.ts';
import type { Credentials } from '../connect.ts';

/**
 * The variables that a space needs. What the service has is not repeated, unless a variable is set that would override
 * it. `contentMedia` is the base URL of the media in the content, if it has any.
 */
export function spaceVariables(
  { service, baseUrl, apiKey, apiKeyHeader }: Credentials,
  contentMedia: string | undefined,
  existing: Environment,
): { readonly [variable: string]: string } {
  const preset = service && SERVICES[service];
  const isOwnUrl = baseUrl === preset?.baseUrl;
  const media = contentMedia ?? (isOwnUrl ? preset?.assetsUrl : undefined);
  const isOwnMedia = preset !== undefined && `${media}/`.startsWith(`${preset.assetsUrl}/`);
  const isSet = (name: string) => existing[name] !== undefined;
  return {
    ...(service && { LUID_SERVICE: service }),
    ...((!isOwnUrl || isSet('LUID_BASE_URL')) && { LUID_BASE_URL: baseUrl }),
    ...(media !== undefined &&
      (!isOwnMedia || isSet('LUID_ASSETS_URL')) && {
        LUID_ASSETS_URL: isOwnMedia ? preset.assetsUrl : media,
      }),
    ...((isSet('LUID_API_KEY_HEADER') || (!service && isSet('LUID_SERVICE'))) && {
      LUID_API_KEY_HEADER: apiKeyHeader,
    }),
    LUID_API_KEY: apiKey,
  };
}
