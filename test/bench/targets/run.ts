/**
 * Measures what is aimed for: node test/bench/targets/run.ts [NAME …] [--rounds=N] [--sizes=200,1000] [--quick], after a
 * build. Sizes are those of `ordinary`. With --quick, one round and the smallest size by default, and nothing is stored.
 */
import { readMachine } from '../machine.ts';
import { readResults, writeResults } from '../results.ts';
import { CLI_TARGETS } from './cli-target.ts';
import { LOAD_TARGETS } from './load-targets.ts';
import { type OrdinaryResults, SIZES, type Size } from './ordinary/measured.ts';
import { measureOrdinarySites } from './ordinary/ordinary.ts';
import { ordinarySection } from './ordinary/ordinary-section.ts';
import { START_TARGETS } from './start-target.ts';
import { type TargetsResults, targetsSection } from './targets-section.ts';
import { VITE_TARGETS } from './vite-target.ts';

const ORDINARY = 'ordinary';
const BENCHMARKS = [...LOAD_TARGETS, ...VITE_TARGETS, ...CLI_TARGETS, ...START_TARGETS];
const names = BENCHMARKS.map(({ name }) => name);

const args = process.argv.slice(2);
const requested = args.filter((arg) => !arg.startsWith('--'));
const unknown = requested.filter((name) => ![ORDINARY, ...names].includes(name));
if (unknown.length > 0) {
  console.error(`Unknown target ${unknown.join(', ')}. Available: ${[ORDINARY, ...names].join(', ')}.`);
  process.exit(1);
}
const isRequested = (name: string) => requested.length === 0 || requested.includes(name);
const isQuick = args.includes('--quick');
const option = (name: string) => args.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1];
const rounds = Number(option('rounds') ?? (isQuick ? 1 : 7));
const sizes = option('sizes')?.split(',').map(Number) ?? SIZES.slice(0, isQuick ? 1 : 3);
const isSize = (size: number): size is Size => SIZES.some((known) => known === size);
if (!(rounds >= 1) || !sizes.every(isSize)) {
  console.error(`Pass --rounds=1 or more, and --sizes of ${SIZES.join(', ')}.`);
  process.exit(1);
}

const measured: Record<string, TargetsResults[string]> = {};
for (const { name, run } of BENCHMARKS.filter(({ name }) => isRequested(name))) {
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
if (isRequested(ORDINARY)) {
  const ordinary = await measureOrdinarySites(sizes, rounds);
  if (!isQuick) writeResults(ORDINARY, { ...readResults<OrdinaryResults>(ORDINARY), ...ordinary });
  console.log(ordinarySection(ordinary));
}
if (Object.keys(measured).length > 0) console.log(targetsSection(measured));
process.exit();
