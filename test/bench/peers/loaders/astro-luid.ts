import { articleId, startLuid } from '../luid-service.ts';
import type { Peer } from '../peer.ts';

/** The built package, as sites install it. */
const DIST = new URL('../../../../dist/', import.meta.url).href;

export const peer: Peer = {
  serve: startLuid,
  async open(baseUrl, apiKey) {
    const { defineSpace, field } = (await import(
      `${DIST}index.js`
    )) as typeof import('../../../../src/index.ts');
    const space = defineSpace({
      baseUrl,
      apiKey,
      models: {
        author: { name: field.text({ title: true }) },
        article: {
          title: field.text({ title: true }),
          body: field.multiline(),
          cover: field.media(),
          author: field.reference('author'),
        },
      },
      network: { requestsPerMinute: Number.POSITIVE_INFINITY },
    });
    return { loader: space.loader('article') as never };
  },
  id: (n) => String(articleId(n)),
  embeds: true,
  read({ title, body, author }: { title: string; body: string; author?: { name: string } }) {
    return { title, body, author: author?.name };
  },
};
