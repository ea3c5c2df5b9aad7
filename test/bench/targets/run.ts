/**
 * Measures what is aimed for: node test/bench/targets/run.ts [NAME …] [--rounds=N] [--quick], after a build. With
 * --quick, one round by default, and nothing is stored.
 */
import { readMachine } from '../machine.ts';
import { readResults, writeResults } from '../results.ts';
import { BUILD_TARGETS } from './build-targets.ts';
import { LOAD_TARGETS } from './load-targets.ts';
import { type TargetsResults, targetsSection } from './targets-section.ts';
import { VITE_TARGETS } from './vite-target.ts';

const BENCHMARKS = [...LOAD_TARGETS, ...BUILD_TARGETS, ...VITE_TARGETS];
const names = BENCHMARKS.map(({ name }) => name);

const args = process.argv.slice(2);
const requested = args.filter((arg) => !arg.startsWith('--'));
const unknown = requested.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown target ${unknown.join(', ')}. Available: ${names.join(', ')}.`);
  process.exit(1);
}
const isQuick = args.includes('--quick');
const [, given] = args.map((arg) => /^--rounds=(\d+)$/.exec(arg)).find(Boolean) ?? [];
const rounds = Number(given ?? (isQuick ? 1 : 5));

const measured: Record<string, TargetsResults[string]> = {};
for (const { name, run } of BENCHMARKS) {
  if (requested.length > 0 && !requested.includes(name)) continue;
  const targets = await run(rounds);
  measured[name] = { machine: readMachine(), targets };
  for (const { what, measured: value, target, isMet, figures } of targets)
    console.error(`${what}: ${value} (${target}, ${isMet ? 'met' : 'missed'}). ${figures}`);
}
// In the order of the benchmarks; those that were not run keep their last results.
const all = { ...readResults<TargetsResults>('targets'), ...measured };
if (!isQuick)
  writeResults(
    'targets',
    Object.fromEntries(names.flatMap((name) => (all[name] ? [[name, all[name]]] : []))),
  );
console.log(targetsSection(measured));
process.exit();
