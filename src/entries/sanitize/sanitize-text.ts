import type { TextFormat } from '../../contract/parameters.ts';
import { createHtmlCleaner } from './sanitize-html.ts';
import { createMarkdownCleaner } from './sanitize-markdown.ts';
import { loadHtmlPackages, loadMarkdownPackages } from './sanitize-packages.ts';
import { classFilter, PORTABLE_RULES, RULES_STAMP } from './sanitize-rules.ts';

/** Takes active content out of texts. */
export interface TextCleaner {
  /** Equal for what cleans in the same way. */
  readonly stamp: string;
  /** Cleans texts of a format. Of classes, those of code stay and those that `classes` allows. */
  cleanerFor(format: TextFormat, classes?: readonly string[]): (text: string) => string;
  /** What a clean text was rendered to: its classes are the renderer's. */
  cleanRendered(html: string): string;
}

/** A cleaner for texts of these formats. Fails if a package is missing that one of them needs. */
export async function openTextCleaner(formats: ReadonlySet<string>): Promise<TextCleaner> {
  const html = createHtmlCleaner(await loadHtmlPackages());
  const cleanMarkdown = formats.has('markdown')
    ? createMarkdownCleaner(await loadMarkdownPackages(), html)
    : undefined;
  return {
    stamp: RULES_STAMP,
    cleanerFor(format, classes) {
      const keepsClass = classFilter(classes);
      if (cleanMarkdown && format === 'markdown') return (text) => cleanMarkdown(text, keepsClass);
      const rules = format === 'portable_html' ? PORTABLE_RULES : undefined;
      return (text) => html.cleanHtml(text, { keepsClass, rules });
    },
    cleanRendered: (text) => html.cleanHtml(text, { keepsClass: () => true }),
  };
}
