// Reads from a service and prints the outcome as JSON: `node read-service.ts BASE_URL TIMEOUT client|loader`.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LoaderContext } from 'astro/loaders';
import { defineSpace, field } from '../../src/index.ts';

const [baseUrl = '', timeout, reader] = process.argv.slice(2);
const noop = () => {};
const space = defineSpace({
  baseUrl,
  apiKey: 'the-secret-key',
  models: { thing: { title: field.text() } },
  network: { timeout: Number(timeout), retries: 0, requestsPerMinute: Number.POSITIVE_INFINITY },
  cache: false,
});
const context = {
  collection: 'things',
  store: { keys: () => [], get: noop, set: noop, delete: noop, values: () => [] },
  meta: new Map(),
  logger: { info: noop, warn: noop, error: noop },
  config: { cacheDir: pathToFileURL(join(tmpdir(), 'never-written/')) },
  generateDigest: String,
  parseData: async ({ data }: { data: unknown }) => data,
} as unknown as LoaderContext;

const outcome = await (reader === 'loader'
  ? space
      .loader('thing')
      .load(context)
      .then(() => 'loaded')
  : space
      .client()
      .contents.list('thing')
      .then(({ total, data }) => `${total} ${Object.keys(data[0] ?? {}).length}`)
).catch((error: Error) => `${error.name}: ${error.message}`);
process.stdout.write(JSON.stringify(outcome));
process.exit();
