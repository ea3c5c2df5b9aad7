import type { TextFormat } from '../../contract/parameters.ts';
import { createHtmlSanitizer } from './sanitize-html.ts';
import { createMarkdownSanitizer } from './sanitize-markdown.ts';
import { loadHtmlPackages, loadMarkdownPackages } from './sanitize-packages.ts';
import { classFilter, PORTABLE_RULES, RULES_FINGERPRINT } from './sanitize-rules.ts';

/** Removes active content from strings of the service's text formats. */
export interface TextSanitizer {
  /** Equal for sanitizers with equal results. */
  readonly fingerprint: string;
  /** For strings of one format. Keeps the classes of code and those that `classes` allows. */
  sanitizerFor(format: TextFormat, classes?: readonly string[]): (text: string) => string;
  /** For HTML that a sanitized string was rendered to: keeps all classes, which are the renderer's. */
  sanitizeRendered(html: string): string;
}

/** Throws if a package that one of the formats needs is not installed. */
export async function openTextSanitizer(formats: ReadonlySet<string>): Promise<TextSanitizer> {
  const html = createHtmlSanitizer(await loadHtmlPackages());
  const sanitizeMarkdown = formats.has('markdown')
    ? createMarkdownSanitizer(await loadMarkdownPackages(), html)
    : undefined;
  return {
    fingerprint: RULES_FINGERPRINT,
    sanitizerFor(format, classes) {
      const keepsClass = classFilter(classes);
      if (sanitizeMarkdown && format === 'markdown') return (text) => sanitizeMarkdown(text, keepsClass);
      const rules = format === 'portable_html' ? PORTABLE_RULES : undefined;
      return (text) => html.sanitizeHtml(text, { keepsClass, rules });
    },
    sanitizeRendered: (text) => html.sanitizeHtml(text, { keepsClass: () => true }),
  };
}
