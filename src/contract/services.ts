import { LuidConfigError } from '../shared/errors.ts';
import { showValue } from '../shared/options.ts';

/** What a site needs to connect to a service with this API, besides a key. */
interface ServicePreset {
  readonly name: string;
  readonly baseUrl: string;
  /** Media are served from here. */
  readonly assetsUrl: string;
  readonly apiKeyHeader: string;
}

export const SERVICES = {
  nilto: {
    name: 'NILTO',
    baseUrl: 'https://cms-api.nilto.com/v1',
    assetsUrl: 'https://cms-assets.nilto.com',
    apiKeyHeader: 'X-NILTO-API-KEY',
  },
} as const satisfies { readonly [service: string]: ServicePreset };

export type ServiceName = keyof typeof SERVICES;
export const SERVICE_NAMES = Object.keys(SERVICES) as ServiceName[];

/** Parses the value of LUID_SERVICE. Throws if no such service is known. */
export function parseServiceName(value: string): ServiceName {
  const name = SERVICE_NAMES.find((known) => known === value.trim().toLowerCase());
  if (name !== undefined) return name;
  throw new LuidConfigError(
    `service (LUID_SERVICE) must be one of ${SERVICE_NAMES.join(', ')}, got ${showValue(value)}`,
    {
      hint: 'For another one, set LUID_BASE_URL, LUID_ASSETS_URL and LUID_API_KEY_HEADER instead.',
    },
  );
}
