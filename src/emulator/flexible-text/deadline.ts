import { createContext, Script } from 'node:vm';

const context = createContext({ work: undefined as unknown });
const call = new Script('work()');

/** Runs synchronous work. Stops it after `ms`, whatever it does, and returns `undefined`. */
export function runWithDeadline<T>(ms: number, work: () => T): { readonly value: T } | undefined {
  context.work = work;
  try {
    return { value: call.runInContext(context, { timeout: Math.max(1, Math.ceil(ms)) }) as T };
  } catch (error) {
    if ((error as NodeJS.ErrnoException)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  } finally {
    context.work = undefined;
  }
}
