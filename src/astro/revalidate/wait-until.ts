/** Keeps a function running until a promise settles, although its response is sent. */
type WaitUntil = (work: Promise<unknown>) => void;

/** What hosts pass to a request: the adapter of Cloudflare, and that of Netlify. */
interface HostLocals {
  readonly cfContext?: unknown;
  readonly netlify?: { readonly context?: unknown };
}

/** Vercel has the context of the current request here. */
const VERCEL = Symbol.for('@vercel/request-context');

/** Of a host that stops a function after its response; `undefined` elsewhere. */
export function findWaitUntil(locals: object): WaitUntil | undefined {
  const { cfContext, netlify } = locals as HostLocals;
  const vercel = (globalThis as { [VERCEL]?: { get?(): unknown } })[VERCEL]?.get?.();
  for (const context of [cfContext, netlify?.context, vercel]) {
    const { waitUntil } = Object(context) as { waitUntil?: unknown };
    if (typeof waitUntil === 'function') return (work) => waitUntil.call(context, work);
  }
  return undefined;
}
