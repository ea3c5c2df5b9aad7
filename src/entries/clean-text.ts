import type { TextFormat } from '../contract/parameters.ts';
import { createHtmlCleaner } from './clean-html.ts';
import { createMarkdownCleaner } from './clean-markdown.ts';
import { PORTABLE_RULES, RULES_STAMP } from './clean-rules.ts';
import { loadHtmlPackages, loadMarkdownPackages } from './sanitize-packages.ts';

/** Takes active content out of texts. */
export interface TextCleaner {
  /** Equal for what cleans in the same way. */
  readonly stamp: string;
  cleanText(text: string, format: TextFormat): string;
  cleanHtml(html: string): string;
}

/** A cleaner for texts of these formats. Fails if a package is missing that one of them needs. */
export async function openTextCleaner(formats: ReadonlySet<string>): Promise<TextCleaner> {
  const html = createHtmlCleaner(await loadHtmlPackages());
  const cleanMarkdown = formats.has('markdown')
    ? createMarkdownCleaner(await loadMarkdownPackages(), html)
    : undefined;
  return {
    stamp: RULES_STAMP,
    cleanText(text, format) {
      if (cleanMarkdown && format === 'markdown') return cleanMarkdown(text);
      return format === 'portable_html' ? html.cleanHtml(text, PORTABLE_RULES) : html.cleanHtml(text);
    },
    cleanHtml: (text) => html.cleanHtml(text),
  };
}
