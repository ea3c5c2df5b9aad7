/** Limits the bytes that responses hold while they are being read. */
export interface ByteBudget {
  /** Starts to count a response. */
  open(): ByteCount;
}

export interface ByteCount {
  /** Counts received bytes. Returns a promise if the response must wait before it reads more. */
  add(bytes: number): Promise<void> | undefined;
  /** Frees the bytes of the response. */
  close(): void;
}

/**
 * Up to the limit, all responses are read in parallel. Above it only the one that was opened first
 * continues and the others wait, so there is always one that can finish and free its bytes.
 */
export function createByteBudget(limit: number): ByteBudget {
  interface OpenResponse {
    bytes: number;
    resume?: (() => void) | undefined;
  }
  /** In the order in which they were opened. */
  const responses = new Set<OpenResponse>();
  let total = 0;

  const canRead = (response: OpenResponse) => total <= limit || responses.values().next().value === response;
  const resumeWaiting = () => {
    for (const response of responses) {
      if (!response.resume || !canRead(response)) continue;
      response.resume();
      response.resume = undefined;
    }
  };

  return {
    open() {
      const response: OpenResponse = { bytes: 0 };
      responses.add(response);
      return {
        add(bytes) {
          if (!responses.has(response)) return undefined;
          response.bytes += bytes;
          total += bytes;
          if (canRead(response)) return undefined;
          return new Promise((resolve) => {
            response.resume = resolve;
          });
        },
        close() {
          if (!responses.delete(response)) return;
          total -= response.bytes;
          response.resume?.();
          resumeWaiting();
        },
      };
    },
  };
}
