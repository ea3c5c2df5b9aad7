import { LuidConfigError } from '../../shared/errors.ts';

/** The packages that sanitizing HTML needs. */
export interface HtmlPackages {
  readonly parse5: typeof import('parse5');
  readonly sanitizer: typeof import('hast-util-sanitize');
}

/** The packages that sanitizing Markdown needs in addition. */
export interface MarkdownPackages {
  readonly remark: typeof import('remark');
  readonly gfm: typeof import('remark-gfm');
}

// Optional peers, imported nowhere else. The specifiers are literals, so that bundlers include installed packages.
// The import of a missing package is rejected, or, when Vite bundles, gives a module without exports.

export async function loadHtmlPackages(): Promise<HtmlPackages> {
  const [parse5, sanitizer] = await Promise.all([
    import('parse5').catch(toMissing),
    import('hast-util-sanitize').catch(toMissing),
  ]);
  return {
    parse5: required(parse5, 'parseFragment', HTML),
    sanitizer: required(sanitizer, 'sanitize', HTML),
  };
}

export async function loadMarkdownPackages(): Promise<MarkdownPackages> {
  const [remark, gfm] = await Promise.all([
    import('remark').catch(toMissing),
    import('remark-gfm').catch(toMissing),
  ]);
  return { remark: required(remark, 'remark', MARKDOWN), gfm: required(gfm, 'default', MARKDOWN) };
}

const HTML = ['parse5', 'hast-util-sanitize'];
const MARKDOWN = ['remark', 'remark-gfm'];

class Missing {
  readonly cause: unknown;
  constructor(cause: unknown) {
    this.cause = cause;
  }
}

function toMissing(cause: unknown): Missing {
  return new Missing(cause);
}

/** Throws unless the package was loaded: `name` is a function that it exports. */
function required<T extends object>(found: T | Missing, name: keyof T, packages: readonly string[]): T {
  if (!(found instanceof Missing) && typeof found[name] === 'function') return found;
  throw new LuidConfigError(`\`sanitize\` needs ${packages.join(' and ')}, which cannot be loaded`, {
    hint: `npm install ${packages.join(' ')}`,
    cause: found instanceof Missing ? found.cause : undefined,
  });
}
