import type { LoaderContext } from 'astro/loaders';
import type { WireContent } from '../../../contract/content.ts';
import { restoreMarkedImages } from '../../../entries/astro-image-markers.ts';
import { renderHtml } from '../../../entries/render-html.ts';
import { ID_PREFIX, prefixedId } from '../../../entries/sanitize/id-prefix.ts';
import { isSanitized, type Sanitizer } from '../../../entries/sanitize/item-sanitizer.ts';
import type { ModelMap } from '../../../models/types.ts';
import { errorMessage } from '../../../shared/errors.ts';
import type { CollectionSettings } from '../options/loader-options.ts';
import type { MeasuredImages } from './collection-images.ts';

type StoredEntry = Parameters<LoaderContext['store']['set']>[0];

export interface BodyOptions {
  readonly models: ModelMap;
  readonly settings: Pick<CollectionSettings, 'model' | 'body' | 'kept'>;
  readonly sanitizer: Sanitizer | undefined;
  readonly images: MeasuredImages | undefined;
  readonly renderMarkdown: LoaderContext['renderMarkdown'];
}

/** Thrown if Astro cannot render the Markdown of a body. */
export class BodyNotRenderedError extends Error {}

/**
 * The body of an entry for `render(entry)`; nothing if the loader has no `body` or the field is empty. The raw text is
 * not part of it if `data` does not keep the field.
 */
export async function renderBody(
  { models, settings: { model, body, kept }, sanitizer, images, renderMarkdown }: BodyOptions,
  data: WireContent,
): Promise<Pick<StoredEntry, 'body' | 'rendered'>> {
  const text = body && data[body.luid];
  if (typeof text !== 'string') return {};
  const cleaner = isSanitized(models[model]?.[body?.luid ?? '']) ? sanitizer : undefined;
  const raw = !kept || kept.has(body?.luid ?? '') ? { body: text } : {};
  if (!body?.isMarkdown) return { ...raw, rendered: renderHtml(text, cleaner && ID_PREFIX) };
  const result = await renderMarkdown(withoutFrontmatter(text)).catch(async (cause: unknown) => {
    // If not even an empty text can be rendered, the site's configuration is at fault, not the content.
    await renderMarkdown('').catch(() => {
      throw cause;
    });
    throw new BodyNotRenderedError(`cannot be rendered as Markdown: ${errorMessage(cause)}`, { cause });
  });
  const unmarked = restoreMarkedImages(result.html);
  const cleaned = cleaner ? cleaner.sanitizeRendered(unmarked) : unmarked;
  const metadata = cleaner ? withPrefixedSlugs(result.metadata) : result.metadata;
  const html = images?.makeResponsive(cleaned) ?? cleaned;
  return { ...raw, rendered: { ...result, ...(metadata && { metadata }), html } };
}

/**
 * Astro removes what it takes for frontmatter, also between two rulers of a text. After a space, the first of these is
 * the same Markdown, and does not begin any frontmatter.
 */
function withoutFrontmatter(text: string): string {
  return text.replace(/^(\uFEFF?|\s*\n)(?=---|\+\+\+)/, '$1 ');
}

type Metadata = Awaited<ReturnType<LoaderContext['renderMarkdown']>>['metadata'];

/** Sanitizing adds a prefix to the ids of headings, so that their slugs need it too. */
function withPrefixedSlugs(metadata: Metadata): Metadata {
  if (!metadata?.headings) return metadata;
  const headings = metadata.headings.map((heading) => ({ ...heading, slug: prefixedId(heading.slug) }));
  return { ...metadata, headings };
}
