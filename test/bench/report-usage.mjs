// Imported by a measured process: writes what it used to a file when it exits. Loads nothing before that.
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const { isMainThread } = process.getBuiltinModule('node:worker_threads');
  if (!isMainThread) return;
  const usage = { cpu: (userCPUTime + systemCPUTime) / 1000, peak: maxRSS * 1024 };
  process.getBuiltinModule('node:fs').writeFileSync(process.env.BENCH_USAGE_FILE, JSON.stringify(usage));
});
