/** An environment variable; `undefined` where there is no `process`, as in browsers. */
export function processVariable(name: string): string | undefined {
  return globalThis.process?.env?.[name];
}
