import type { Case, FaultRunner, Trial } from './fault-runner.ts';
import { GUARANTEES } from './guarantees.ts';
import { MACHINE_FAULTS } from './machine-faults.ts';
import type { Matrix } from './matrix.ts';
import { RESPONSE_FAULTS_OF_BUILDS } from './response-faults.ts';
import { SERVICE_FAULTS } from './service-faults.ts';

const TEXT = `Each number counts the loads that were checked: under the fault, and without one afterwards. A fault happens to each
request once, and every time; to a site without a cache, and to one that has to load recent edits; with full and with
incremental syncs; with \`onError\` \`fail\` and \`stale\`.`;

/** Loads of collections, as in `astro build`. */
export const buildsMatrix = (runner: FaultRunner): Matrix<Trial> => ({
  title: 'Builds',
  text: TEXT,
  guarantees: GUARANTEES,
  rows: [...RESPONSE_FAULTS_OF_BUILDS, ...SERVICE_FAULTS, ...MACHINE_FAULTS].map(
    ({ name, cases, without = {} }) => ({
      name,
      without,
      trials: async () => (await cases(runner)).flatMap((one) => [one, afterwards(one)]),
      remove: () => runner.remove(),
    }),
  ),
});

const afterwards = ({ name, next }: Case): Trial => ({
  name: `after ${name}`,
  load: next,
  expects: 'right',
  budget: Number.POSITIVE_INFINITY,
});
