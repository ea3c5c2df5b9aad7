import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Case, FaultRunner } from './fault-runner.ts';
import { startProxy } from './faulty-proxy.ts';
import { GUARANTEES, type GuaranteeName } from './guarantees.ts';
import { MACHINE_FAULTS } from './machine-faults.ts';
import { type Cell, renderMatrix } from './matrix-table.ts';
import { RESPONSE_FAULTS } from './response-faults.ts';
import { SERVICE_FAULTS } from './service-faults.ts';

const FAULTS = [...RESPONSE_FAULTS, ...SERVICE_FAULTS, ...MACHINE_FAULTS];
const UNLIMITED = Number.POSITIVE_INFINITY;
const MATRIX = new URL('MATRIX.md', import.meta.url);

const proxy = await startProxy();
const runner = new FaultRunner(proxy);
afterAll(async () => {
  runner.remove();
  await proxy.close();
});

const findings = new Map(FAULTS.map(({ name }) => [name, new Map<GuaranteeName, Cell>()]));

describe.each(FAULTS)('$name', ({ name, cases, without = {} }) => {
  let all: Case[] = [];
  beforeAll(async () => {
    all = await cases(runner);
  });
  afterAll(() => {
    all = [];
    runner.remove();
  });

  test.each(GUARANTEES)(`${name}: $name`, ({ name: guarantee, check }) => {
    const found = findings.get(name);
    found?.set(guarantee, 'broken');
    let loads = 0;
    for (const one of all) {
      const withoutFault = {
        name: `after ${one.name}`,
        load: one.next,
        expects: 'right' as const,
        budget: UNLIMITED,
      };
      for (const trial of [one, withoutFault]) {
        try {
          if (check(trial)) loads += 1;
        } catch (error) {
          throw new Error(`${trial.name}: ${(error as Error).message}`, { cause: error });
        }
      }
    }
    const reason = without[guarantee];
    expect(reason === undefined, 'a guarantee is checked, or there is a reason why not').toBe(loads > 0);
    found?.set(guarantee, reason === undefined ? { loads } : { reason });
  });
});

test('MATRIX.md is up to date', () => {
  const table = renderMatrix(FAULTS, findings);
  if (process.env.LUID_UPDATE === '1') writeFileSync(MATRIX, table);
  expect(readFileSync(MATRIX, 'utf8')).toBe(table);
});
