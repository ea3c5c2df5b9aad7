/** The process is killed at a later side effect: before it happens, or right after. */
export interface Crash {
  /** Number of side effects before that one. */
  readonly after: number;
  /** Whether the side effect still happens. */
  readonly isDone: boolean;
}

export interface KillableProcess {
  killAt(crash: Crash | undefined): void;
  /** Rejects when the process is killed. */
  readonly killed: Promise<never>;
  /** Runs a side effect. Never resolves once the process is killed. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Simulates a process that can be killed between any two side effects. */
export function createKillableProcess(onKill: () => void): KillableProcess {
  let crash: Crash | undefined;
  let sideEffects = 0;
  let isKilled = false;
  let reject = (_: Error) => {};
  const killed = new Promise<never>((_, fail) => {
    reject = fail;
  });
  killed.catch(() => {});
  const kill = () => {
    isKilled = true;
    reject(new Error('the process was killed'));
    onKill();
  };
  const never = new Promise<never>(() => {});
  return {
    killAt(at: Crash | undefined) {
      crash ??= at;
      sideEffects = 0;
    },
    killed,
    async run<T>(work: () => Promise<T>): Promise<T> {
      if (isKilled) return never;
      const isLast = crash !== undefined && sideEffects++ >= crash.after;
      if (isLast && !crash?.isDone) kill();
      if (isKilled) return never;
      const done = await work();
      if (isLast && !isKilled) kill();
      return isKilled ? never : done;
    },
  };
}
