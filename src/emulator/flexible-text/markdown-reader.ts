import { HttpError } from '../http/http-error.ts';
import { loadOptional } from '../optional-package.ts';
import { runWithDeadline } from './deadline.ts';

/**
 * Milliseconds for all the Markdown of one request. `marked` takes 0.5 s for 1 MB of ordinary Markdown, but
 * quadratic time for some input: 20 s for 40 kB of `**_a`.
 */
const TIME_LIMIT = 2_000;

/** Returns a converter from Markdown to HTML, for one request. */
export async function loadMarkdownReader(): Promise<(markdown: string) => string> {
  const load = () => import('marked');
  const Marked = await loadOptional('marked', 'to accept Markdown (ft_format=markdown)', load, 'Marked');
  const marked = new Marked({ async: false, gfm: true });
  // A write converts its strings again if the state changes before it is applied.
  const cache = new Map<string, string>();
  let remaining = TIME_LIMIT;

  return (markdown) => {
    const cached = cache.get(markdown);
    if (cached !== undefined) return cached;
    const start = performance.now();
    const html = runWithDeadline(remaining, () => parse(() => marked.parse(markdown) as string));
    remaining = Math.max(1, remaining - (performance.now() - start));
    if (!html) throw new HttpError(400, { explanation: TOO_SLOW });
    cache.set(markdown, html.value);
    return html.value;
  };
}

function parse(convert: () => string): string {
  try {
    return convert();
  } catch {
    // `marked` throws when the stack is exhausted.
    const explanation = 'This Markdown cannot be converted: its quotes or lists are nested too deeply.';
    throw new HttpError(400, { explanation });
  }
}

const TOO_SLOW = `This Markdown takes the emulator more than ${TIME_LIMIT / 1000} s to convert, most likely because of very many * or _ in one paragraph. Split the paragraph, or send HTML (ft_format=portable_html).`;
