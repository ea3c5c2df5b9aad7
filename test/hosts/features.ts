/** What the site does: the rows of the table in docs/guides/hosts.md. Each has a test in describe-host.ts. */
export const FEATURES = {
  static: 'prerendered pages',
  images: 'images of the CDN',
  service: "live pages with `from: 'service'`",
  coldStart: 'a new server with nothing stored reads the content',
  replica: 'live pages from the copy of the content',
  missing: '404 for an unknown entry',
  edit: 'cached pages show an edit without an event',
  frozen: 'the first page after a pause shows what changed meanwhile',
  refresh: '`POST /_luid/refresh`, only with its secret',
  tags: 'pages have cache tags for a CDN',
  purge: 'a refresh removes changed pages from the cache, and no others',
  preview: 'previews: enter, see the draft, leave',
  events: 'previews report changes',
  stored: 'while the service is down, a new server shows what is stored',
  outage: 'a refresh reports that the service is down',
} as const;

export type Feature = keyof typeof FEATURES;

/** A host in the tests. */
export interface HostProfile {
  readonly name: string;
  /** What runs the site in the tests. */
  readonly runtime: string;
  /** What does not work there, and why: a sentence of the docs. The test asserts what happens instead. */
  readonly cannot: Readonly<Partial<Record<Feature, string>>>;
}

const IN_MEMORY = 'The cache of pages is in the memory of the server, so there is no CDN to send tags to.';
const ASLEEP =
  'A page that the CDN serves wakes no function. It is removed from the CDN when a request for another page wakes one, or by `/_luid/refresh`.';

export const HOSTS = {
  node: { name: 'Node', runtime: 'what `@astrojs/node` builds', cannot: { tags: IN_MEMORY } },
  bun: { name: 'Bun', runtime: 'the same', cannot: { tags: IN_MEMORY } },
  deno: { name: 'Deno', runtime: 'the same', cannot: { tags: IN_MEMORY } },
  netlify: {
    name: 'Netlify',
    runtime:
      'the function that `@astrojs/netlify` builds, with Netlify Blobs from `BlobsServer` of `@netlify/blobs`',
    cannot: { edit: ASLEEP },
  },
  vercel: {
    name: 'Vercel',
    runtime: 'the function that `@astrojs/vercel` builds, with a storage over HTTP',
    cannot: { edit: ASLEEP },
  },
  cloudflare: {
    name: 'Cloudflare Workers',
    runtime: 'what `@astrojs/cloudflare` builds, in workerd, started by `wrangler`, with Workers KV',
    cannot: {
      coldStart: 'A Worker does not read all content: pages respond with 503 until something is stored.',
      edit: 'A Worker shows what is stored: `luid sync`, a build or a server on Node has to store the edit first.',
      purge:
        'Tried with `wrangler` on one machine only, which has no cache of pages: `/_luid/refresh` responds with `"invalidated":false` there.',
      events: 'Previews get no events: the bar requests the page every 5 seconds.',
      outage: 'A Worker looks for changes in the storage, not at the service.',
    },
  },
} as const satisfies Readonly<Record<string, HostProfile>>;
