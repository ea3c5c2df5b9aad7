/** What responses that are being read may hold together. */
export interface ByteBudget {
  /** Starts to count one response. */
  open(): ByteCount;
}

export interface ByteCount {
  /** Counts bytes that were received. Resolves when more may be read. */
  add(bytes: number): Promise<void> | undefined;
  /** The response is done with; what it held is free. */
  close(): void;
}

/**
 * Up to the limit, all responses are read at once. Beyond it only the one that was opened first goes on, and the
 * others wait with what they have: so there is always one that can end, and free its bytes.
 */
export function byteBudget(limit: number): ByteBudget {
  interface Open {
    bytes: number;
    resume?: (() => void) | undefined;
  }
  /** In the order in which they were opened. */
  const opened = new Set<Open>();
  let total = 0;

  const mayRead = (one: Open) => total <= limit || opened.values().next().value === one;
  const resumeAll = () => {
    for (const one of opened) {
      if (!one.resume || !mayRead(one)) continue;
      one.resume();
      one.resume = undefined;
    }
  };

  return {
    open() {
      const own: Open = { bytes: 0 };
      opened.add(own);
      return {
        add(bytes) {
          if (!opened.has(own)) return undefined;
          own.bytes += bytes;
          total += bytes;
          if (mayRead(own)) return undefined;
          return new Promise((resolve) => {
            own.resume = resolve;
          });
        },
        close() {
          if (!opened.delete(own)) return;
          total -= own.bytes;
          own.resume?.();
          resumeAll();
        },
      };
    },
  };
}
