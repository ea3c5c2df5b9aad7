/** The process ends so many uses of the world outside later, before that use or right after it. */
export interface Crash {
  readonly after: number;
  readonly isDone: boolean;
}

export interface Life {
  killAt(crash: Crash | undefined): void;
  /** Rejects when it ends. */
  readonly death: Promise<never>;
  /** Everything that has an effect goes through here. */
  use<T>(work: () => Promise<T>): Promise<T>;
}

/** What a process uses of the world outside. Once it is dead, nothing that it does has an effect. */
export function createLife(onDeath: () => void): Life {
  let crash: Crash | undefined;
  let uses = 0;
  let dead = false;
  let end = (_: Error) => {};
  const death = new Promise<never>((_, reject) => {
    end = reject;
  });
  death.catch(() => {});
  const die = () => {
    dead = true;
    end(new Error('the process has ended'));
    onDeath();
  };
  const never = new Promise<never>(() => {});
  return {
    killAt(at: Crash | undefined) {
      crash ??= at;
      uses = 0;
    },
    death,
    async use<T>(work: () => Promise<T>): Promise<T> {
      if (dead) return never;
      const isLast = crash !== undefined && uses++ >= crash.after;
      if (isLast && !crash?.isDone) die();
      if (dead) return never;
      const done = await work();
      if (isLast && !dead) die();
      return dead ? never : done;
    },
  };
}
