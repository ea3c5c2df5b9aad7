import { scanTags } from '../../models/text/scan-tags.ts';
import { previewBarHtml } from './bar-html.ts';
import type { PreviewBarSettings } from './preview-state.ts';

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
