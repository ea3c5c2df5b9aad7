const timer = (run: () => void, delay: number) => {
  const id = setTimeout(run, delay);
  return () => clearTimeout(id);
};

/** Settles as a promise does, or rejects after some time. `schedule` runs a function later, and returns what cancels it. */
export async function limitTime<T>(
  running: Promise<T>,
  milliseconds: number,
  error: () => Error = () => new Error(`Not done within ${milliseconds / 1000} s`),
  schedule = timer,
): Promise<T> {
  let cancel = () => {};
  const timeUp = new Promise<never>((_, reject) => {
    cancel = schedule(() => reject(error()), milliseconds);
  });
  try {
    return await Promise.race([running, timeUp]);
  } finally {
    cancel();
  }
}
