import type { Emulator } from '../../src/emulator/index.ts';
import type { Build } from './steps.ts';

/** The way of a build's requests to the service: through a region, and with one failure at most. */
export function failingFetch(service: Emulator, { region, failure }: Build, bareHeaders: boolean) {
  let requests = 0;
  const network = {
    failed: false,
    async fetch(input: Request | URL | string, init?: RequestInit): Promise<Response> {
      const url = String(input);
      const headers = { ...(init?.headers as Record<string, string>), 'x-luid-pop': region };
      const ask = () => service.fetch(url, { ...init, headers });
      const isCounted = failure && (failure.of === 'all' || url.includes(`lang=${failure.of}`));
      if (!isCounted || requests++ !== failure.nth) return bareHeaders ? withoutHeaders(await ask()) : ask();
      network.failed = true;
      switch (failure.kind) {
        case 'network':
          throw new TypeError('fetch failed');
        case 'html':
          return new Response('<h1>Please try again later</h1>');
        case 'empty':
          return new Response('');
        case 'cut': {
          const text = await (await ask()).text();
          return new Response(text.slice(0, text.length / 2));
        }
        default: {
          const status = failure.kind.slice('status '.length);
          return new Response(JSON.stringify({ status, code: 'Failure' }), {
            status: Number(status),
            headers: status === '429' ? { 'retry-after': '1' } : {},
          });
        }
      }
    },
  };
  return network;
}

async function withoutHeaders(response: Response): Promise<Response> {
  const { status } = response;
  return new Response(await response.arrayBuffer(), {
    status,
    headers: { 'content-type': 'application/json' },
  });
}
