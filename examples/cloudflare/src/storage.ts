import { existsSync } from 'node:fs';
import { createStorage, type Storage } from 'unstorage';
import kvBinding from 'unstorage/drivers/cloudflare-kv-binding';
import kvHttp from 'unstorage/drivers/cloudflare-kv-http';

/** Cloudflare KV: `luid sync` fills it from a computer, and the Worker reads it. */
export async function openStorage(): Promise<Storage | undefined> {
  if (navigator.userAgent === 'Cloudflare-Workers') {
    const { env } = await import('cloudflare:workers');
    return createStorage({ driver: kvBinding({ binding: env.CONTENT }) });
  }
  if (existsSync('.env')) process.loadEnvFile();
  const {
    CLOUDFLARE_ACCOUNT_ID: accountId,
    CLOUDFLARE_API_TOKEN: apiToken,
    CLOUDFLARE_NAMESPACE_ID: namespaceId,
  } = process.env;
  if (!accountId || !apiToken || !namespaceId) return undefined;
  return createStorage({ driver: kvHttp({ accountId, apiToken, namespaceId }) });
}
