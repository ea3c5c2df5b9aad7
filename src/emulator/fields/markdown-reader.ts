import { Refusal } from '../http/refusal.ts';
import { optional } from '../optional.ts';
import { withinTime } from './deadline.ts';

/**
 * Milliseconds that the Markdown of one request may take altogether. `marked` takes 0.5 s for 1 MB of
 * ordinary Markdown, but quadratic time for some: 40 kB of `**_a` would take 20 s.
 */
const TIME_LIMIT = 2_000;

/** Converts the Markdown of one request to HTML. */
export async function loadMarkdownReader(): Promise<(markdown: string) => string> {
  const load = () => import('marked');
  const Marked = await optional('marked', 'to accept Markdown (ft_format=markdown)', load, 'Marked');
  const marked = new Marked({ async: false, gfm: true });
  // A write that is repeated because the state changed meanwhile converts the same strings again.
  const known = new Map<string, string>();
  let left = TIME_LIMIT;

  return (markdown) => {
    const converted = known.get(markdown);
    if (converted !== undefined) return converted;
    const start = performance.now();
    const html = withinTime(left, () => parse(() => marked.parse(markdown) as string));
    left = Math.max(1, left - (performance.now() - start));
    if (!html) throw tooSlow();
    known.set(markdown, html.value);
    return html.value;
  };
}

function parse(convert: () => string): string {
  try {
    return convert();
  } catch {
    // It gives up at the end of the stack.
    throw new Refusal(400, {
      explanation: 'This Markdown cannot be converted: its quotes or lists are nested too deeply.',
    });
  }
}

function tooSlow(): Refusal {
  return new Refusal(400, {
    explanation: `This Markdown takes the emulator more than ${TIME_LIMIT / 1000} s to convert, most likely because of very many * or _ in one paragraph. Split the paragraph, or send HTML (ft_format=portable_html).`,
  });
}
