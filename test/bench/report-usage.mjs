// Imported by a measured process: writes what it used to a file when it exits.
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const usage = { cpu: (userCPUTime + systemCPUTime) / 1000, peak: maxRSS * 1024 };
    writeFileSync(process.env.BENCH_USAGE_FILE, JSON.stringify(usage));
  });
}
