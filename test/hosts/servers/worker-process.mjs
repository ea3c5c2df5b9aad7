// Starts a Worker in workerd: node worker-process.mjs WRANGLER_JSON. A second server is the KV namespace `CONTENT` over HTTP;
// its /.worker/restart starts the Worker again, with what is stored, and its /.worker/close ends workerd.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';

const [configPath] = process.argv.slice(2);
const require = createRequire(configPath);
const { createTestHarness } = require('wrangler');
const { createStorage } = require('unstorage');
const { createStorageServer } = require('unstorage/server');
const kvBinding = require('unstorage/drivers/cloudflare-kv-binding');

const vars = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('LUID_')));
const worker = createTestHarness({ workers: [{ configPath, vars }] });
const { url } = await worker.listen();

const openStorage = async () => {
  const { CONTENT: binding } = await worker.getWorker().getEnv();
  return createStorageServer(createStorage({ driver: kvBinding({ binding }) })).handle;
};
let handle = await openStorage();
const server = createServer(async (request, response) => {
  if (request.url === '/.worker/restart') {
    await worker.update((options) => options);
    handle = await openStorage();
  } else if (request.url === '/.worker/close') await worker.close();
  else return handle(request, response);
  response.end();
});
server.listen(0, '127.0.0.1', () => {
  console.log(`storage at http://127.0.0.1:${server.address().port}/ `);
  console.log(`listening on ${url.origin} `);
});
