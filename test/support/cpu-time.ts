/** Starts to count the seconds of CPU time of this process, which do not depend on other processes. */
export function startCpuTimer(): () => number {
  const before = process.cpuUsage();
  return () => process.cpuUsage(before).user / 1_000_000;
}
