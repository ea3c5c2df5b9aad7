/**
 * The script of `<PreviewBar />`. A file of its own, so that a strict content security policy allows it. Astro's
 * `<ClientRouter />` replaces the page without running it again, but reports each page, also the first one.
 */
export const BAR_SCRIPT = `const POLL_INTERVAL = 5000;
let bar;
let source;
let polling;

function showPage() {
  // Content may have the attribute, but no script.
  const shown = document.querySelector('[data-luid-preview] > script')?.parentElement;
  if (shown !== bar) {
    bar = shown;
    connect();
  }
  if (!bar?.dataset.prefix) return;
  prefixLinks(bar.dataset.prefix);
  unprefixForms(bar.dataset.prefix);
}

function connect() {
  close();
  const events = bar?.dataset.events;
  if (!events) return;
  const state = bar.querySelector('[data-luid-state]');
  const show = (name) => { state.textContent = state.dataset[name]; };
  source = new EventSource(events);
  source.addEventListener('open', () => show('connected'));
  source.addEventListener('error', () => {
    show('waiting');
    if (source.readyState === EventSource.CLOSED) void poll(events, show);
  });
  source.addEventListener('change', () => location.reload());
}

// For servers without events: others have refused them. A page that is different each time cannot be compared.
async function poll(events, show) {
  const { signal } = (polling = new AbortController());
  const read = async () => (await fetch(location.href, { signal })).text();
  try {
    if ((await fetch(events, { method: 'HEAD', signal })).status !== 204) return;
    const shown = await read();
    if ((await read()) !== shown) return;
    show('connected');
    while (!signal.aborted) {
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
      if (!signal.aborted && !document.hidden && (await read()) !== shown) location.reload();
    }
  } catch {
    if (!signal.aborted) show('waiting');
  }
}

function close() {
  source?.close();
  polling?.abort();
}

// Undefined for a URL of another site.
function parseOnSite(url) {
  const parsed = URL.canParse(url, location.href) ? new URL(url, location.href) : undefined;
  return parsed?.origin === location.origin ? parsed : undefined;
}

function prefixLinks(prefix) {
  const base = prefix.slice(0, -'/_luid/preview'.length);
  for (const link of document.querySelectorAll('a[href]')) {
    const { pathname, search, hash } = parseOnSite(link.href) ?? {};
    const isFile = /\\.[a-z0-9]+$/i.test(pathname) && !/\\.html?$/i.test(pathname);
    if (pathname === undefined || isFile || link.hasAttribute('download')) continue;
    if (pathname === location.pathname && hash) continue;
    if (pathname.startsWith(base + '/_luid/')) continue;
    if ((pathname + '/').startsWith(base + '/')) link.href = prefix + pathname.slice(base.length) + search + hash;
  }
}

// The preview only shows pages: a form is sent where it is sent outside of it.
function unprefixForms(prefix) {
  const base = prefix.slice(0, -'/_luid/preview'.length);
  for (const form of document.querySelectorAll('form[method=post i]')) {
    const { pathname, search } = parseOnSite(form.getAttribute('action') ?? '') ?? {};
    if (!(pathname + '/').startsWith(prefix + '/')) continue;
    const action = (base + pathname.slice(prefix.length) || '/') + search;
    // The path of this page may contain another site: /_luid/preview//evil.example
    if (parseOnSite(action)) form.setAttribute('action', action);
  }
}

showPage();
document.addEventListener('astro:page-load', showPage);
addEventListener('pagehide', close);
`;

export const BAR_STYLE = `.luid-preview {
  position: sticky;
  inset-block-start: 0;
  z-index: 2147483000;
  display: flex;
  flex-wrap: wrap;
  gap: 0.25rem 1.25rem;
  align-items: center;
  padding: 0.5rem 1rem;
  background: #f5c451;
  color: #241b05;
  font: 500 0.9375rem/1.5 system-ui, sans-serif;
}
.luid-preview p {
  margin: 0 auto 0 0;
}
.luid-preview a {
  padding: 0.25rem 0;
  color: inherit;
  text-decoration: underline;
  text-underline-offset: 0.2em;
}
.luid-preview a:focus-visible {
  outline: 2px solid currentColor;
  outline-offset: 2px;
}
.luid-preview [data-luid-state] {
  margin-inline-start: 0.5rem;
  font-weight: 400;
}
@media (max-width: 30rem) {
  .luid-preview [data-luid-state] {
    display: none;
  }
}
@media print {
  .luid-preview {
    display: none;
  }
}
`;
