/**
 * Astro loads this package twice in one process: loaders and pages in Vite's module graph, integrations and image
 * services in Node's. Each copy has its own module-level variables, so state that both need is on `globalThis`.
 * State of one space belongs to its runtime instead (space/runtime.ts).
 */
const REGISTRY = Symbol.for('astro-luid');
const holder = globalThis as { [REGISTRY]?: Map<string, unknown> };

/** The value that all copies of this package share under a name, created by the first that needs it. */
export function shareInProcess<T>(name: string, create: () => T): T {
  holder[REGISTRY] ??= new Map();
  const shared = holder[REGISTRY];
  if (!shared.has(name)) shared.set(name, create());
  return shared.get(name) as T;
}

/** The same value as an expression, for generated code that cannot import this module. */
export function sharedExpression(name: string): string {
  return `globalThis[Symbol.for('astro-luid')]?.get(${JSON.stringify(name)})`;
}
