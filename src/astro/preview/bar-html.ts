import { scanTags } from '../../models/text/scan-tags.ts';
import type { PreviewBarSettings, PreviewedEntry } from './preview-settings.ts';

/** The words of the bar. */
export interface BarLabels {
  readonly title?: string | undefined;
  readonly connected?: string | undefined;
  readonly waiting?: string | undefined;
  readonly edit?: string | undefined;
  readonly exit?: string | undefined;
}

/** The bar of a page in preview. `entry`: what the page shows. */
export function previewBarHtml(
  bar: PreviewBarSettings,
  entry: PreviewedEntry | undefined = bar.entry,
  labels: BarLabels = {},
): string {
  const {
    title = 'Draft preview',
    connected = 'updates itself',
    waiting = 'not connected',
    edit = 'Edit in the CMS',
    exit = 'Leave the preview',
  } = labels;
  const editUrl =
    entry &&
    bar.editUrl
      ?.replaceAll('{model}', encodeURIComponent(entry.data._model))
      .replaceAll('{id}', encodeURIComponent(entry.data._id));
  const attributes = {
    class: 'luid-preview',
    'aria-label': title,
    'data-luid-preview': '',
    'data-events': bar.events,
    'data-prefix': bar.prefix,
  };
  const state = {
    'data-luid-state': '',
    'data-connected': connected,
    'data-waiting': waiting,
    role: 'status',
  };
  const link = { href: exitOf(bar, entry), 'data-astro-prefetch': 'false', 'data-astro-reload': '' };
  return [
    tag('aside', attributes),
    tag('link', { rel: 'stylesheet', href: bar.style }),
    `<p>${escapeHtml(title)} ${tag('span', state)}</span></p>`,
    editUrl ? `${tag('a', { href: editUrl })}${escapeHtml(edit)}</a>` : '',
    `${tag('a', link)}${escapeHtml(exit)}</a>`,
    `${tag('script', { type: 'module', src: bar.script })}</script></aside>`,
  ].join('');
}

/** Adds the bar to a page that does not render `<PreviewBar />` itself. */
export async function addBar(response: Response, bar: PreviewBarSettings): Promise<Response> {
  const { headers, status, statusText, body } = response;
  const isPage = /^text\/html\b/i.test(headers.get('content-type') ?? '');
  if (!isPage || !body || headers.has('content-encoding')) return response;
  // Only when the whole page is rendered, it is known whether one of its components was the bar.
  const html = await response.text();
  const copy = new Headers(headers);
  copy.delete('content-length');
  const page = bar.isRendered ? html : insertBar(html, bar);
  return new Response(page, { status, statusText, headers: copy });
}

/** At the start of the body. A part of a page has none, and no doctype. */
function insertBar(html: string, bar: PreviewBarSettings): string {
  const [doctype = ''] = /^\s*<!doctype\s[^>]*>/i.exec(html) ?? [];
  let position = doctype.length;
  for (const tag of scanTags(html)) {
    if (tag.name !== 'body') continue;
    position = tag.end;
    break;
  }
  if (position === 0) return html;
  return html.slice(0, position) + previewBarHtml(bar) + html.slice(position);
}

/** Leads to the same page; to the home page if the entry was never published, which has no page then. */
function exitOf({ exit, page }: PreviewBarSettings, entry: PreviewedEntry | undefined): string {
  return entry?.data._status === 'draft' ? exit : `${exit}?to=${encodeURIComponent(page)}`;
}

function tag(name: string, attributes: Readonly<Record<string, string | undefined>>): string {
  const list = Object.entries(attributes).map(([key, value]) =>
    value === undefined ? '' : ` ${key}="${escapeHtml(value)}"`,
  );
  return `<${name}${list.join('')}>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
