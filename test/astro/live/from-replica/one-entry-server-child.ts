import { createServer } from 'node:http';
import { defineSpace } from '../../../../src/index.ts';
import { MODELS } from '../../../support/emulated-space.ts';

/** A server that shows one entry and is closed then. Nothing may keep the process alive afterwards. */
const { baseUrl, dir } = JSON.parse(process.argv[2] ?? '{}') as { baseUrl: string; dir: string };
const space = defineSpace({ baseUrl, apiKey: 'published', models: MODELS, cache: { dir } });
const loader = space.liveLoader('article', { refresh: '1s' });
const server = createServer(async (_, response) => {
  const entry = await loader.loadEntry({ filter: { id: '2' }, collection: 'articles' } as never);
  response.setHeader('connection', 'close').end(JSON.stringify(entry));
  server.close();
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' && address?.port}\n`);
});
