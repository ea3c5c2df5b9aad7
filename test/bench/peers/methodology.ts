/** How the figures were measured. */
export const METHOD = `**Setup.** Every loader loads the same articles: about 1.8 KB of text, an image and a reference to one of 50
authors. astro-luid, the hand-written loader and plain \`fetch\` load them from this package’s emulator; the other loaders
from small HTTP servers that mimic the API of their own service. All responses are uncompressed JSON, sent after the
stated latency. Rate limits are turned off, in the loaders too. The hand-written loader follows Astro’s documentation:
read page by page, clear the store, set the entries. Plain \`fetch\` is a lower bound, not for real use: it requests all
pages at once and stores the items unchanged.

**Measurement.** Each load runs in a new process, as in a build, with Astro’s own content layer and data store. The store
is saved to a file between loads; reading and writing that file is not measured. The timer
covers \`load()\` only, with the modules that it imports itself, as astro-luid does. An unmeasured load warms up the server process first. 10,000 entries at 50 ms are
loaded in three rounds, with all loaders in turn in each, and the middle one is shown; the other sizes in one. CPU time is
the user and system time of the loading process during the load. Memory is the peak above the process’s memory before the
load. A load that takes more than a minute is aborted, and that loader is skipped for the same and larger sizes. Every
loader is configured as its README recommends for the best result: the largest pages, an \`updatedField\` and a local
schema for PocketBase, relations populated for Strapi and resolved for Storyblok.

**Results.** *Correct*: after the load, the store equals the content of the service (ids, titles, bodies and the embedded
author’s name). *Fails, content kept*: the load failed with an error and kept the previous content, so the build stops
and nothing is lost. *Build continues*: the error is at most logged. PocketBase’s loader cannot embed relations, so the
edited reference does not apply to it (–). Before the 429 and the 500 an article was edited; the first request fails.
In parentheses: requests that count against the rate limit, where the service’s CDN reports it.`;

/** What to consider when reading the figures. */
export const NOTES = `### Notes

- Only the articles are a collection. astro-luid also reads the 50 authors, to keep embedded content up to date; the
  PocketBase loader never reads them.
- Storyblok’s loader does not validate entries: it does not call \`parseData\`. The others do.
- microCMS’s SDK waits a second between pages, which cannot be turned off.
- astro-luid always reads a space of up to about 1,500 entries in full, because that takes as long as asking for
  changes. With nothing changed, all of it comes from the CDN.
- After one edit astro-luid takes longer than Storyblok’s loader and, without latency, than PocketBase’s, which update
  only that entry. It also finds the entries that embed the edited item, through the references in its local copy, and
  makes these again. That is why the edited author is correct.
- The other services are simulated: their loaders are measured, the speed of the services is not.
- strapi-community-astro-loader and astro-loader-storyblok require Astro 6, microcms-astro-loader Astro 5. Here they run
  with Astro 7, whose loader interface is the same.`;
