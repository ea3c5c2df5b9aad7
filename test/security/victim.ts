// Reads from a service and prints the outcome as JSON: `node victim.ts BASE_URL TIMEOUT client|loader`.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LoaderContext } from 'astro/loaders';
import { defineSpace, field } from '../../src/index.ts';

const [baseUrl = '', timeout, how] = process.argv.slice(2);
const quiet = () => {};
const space = defineSpace({
  baseUrl,
  apiKey: 'the-secret-key',
  models: { thing: { title: field.text() } },
  network: { timeout: Number(timeout), retries: 0, requestsPerMinute: Number.POSITIVE_INFINITY },
  cache: false,
});
const context = {
  collection: 'things',
  store: { keys: () => [], get: quiet, set: quiet, delete: quiet, values: () => [] },
  meta: new Map(),
  logger: { info: quiet, warn: quiet, error: quiet },
  config: { cacheDir: pathToFileURL(join(tmpdir(), 'never-written/')) },
  generateDigest: String,
  parseData: async ({ data }: { data: unknown }) => data,
} as unknown as LoaderContext;

const outcome = await (how === 'loader'
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
