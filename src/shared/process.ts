/**
 * A process may have several copies of this package: see "Copies of the package" in docs/architecture.md. Each has its own
 * module-level variables, so state that all need is on `globalThis`. State of one space belongs to its runtime
 * (space/runtime.ts).
 */
const registry = globalThis as { [name: symbol]: object | undefined };

/** The object that all copies of this package share under a name, created by the first that needs it. */
export function shareInProcess<T extends object>(name: string, create: () => T): T {
  const key = Symbol.for(`astro-luid:${name}`);
  registry[key] ??= create();
  return registry[key] as T;
}

/** The same object as an expression, for generated code that cannot import this module. */
export function sharedExpression(name: string): string {
  return `globalThis[Symbol.for(${JSON.stringify(`astro-luid:${name}`)})]`;
}

/** An environment variable; `undefined` where there is no `process`, as in browsers. */
export function processVariable(name: string): string | undefined {
  return globalThis.process?.env?.[name];
}
