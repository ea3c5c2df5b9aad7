import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ANSWER_FAULTS } from './answer-faults.ts';
import { type Case, Lab } from './lab.ts';
import { MACHINE_FAULTS } from './machine-faults.ts';
import { PROMISES, type PromiseName } from './promises.ts';
import { startProxy } from './proxy.ts';
import { SERVICE_FAULTS } from './service-faults.ts';
import { type Cell, tableOf } from './table.ts';

const FAULTS = [...ANSWER_FAULTS, ...SERVICE_FAULTS, ...MACHINE_FAULTS];
const UNLIMITED = Number.POSITIVE_INFINITY;
const MATRIX = new URL('MATRIX.md', import.meta.url);

const proxy = await startProxy();
const lab = new Lab(proxy);
afterAll(async () => {
  lab.remove();
  await proxy.close();
});

const findings = new Map(FAULTS.map(({ name }) => [name, new Map<PromiseName, Cell>()]));

describe.each(FAULTS)('$name', ({ name, cases, without = {} }) => {
  let all: Case[] = [];
  beforeAll(async () => {
    all = await cases(lab);
  });
  afterAll(() => {
    all = [];
    lab.remove();
  });

  test.each(PROMISES)(`${name}: $name`, ({ name: promise, check }) => {
    const found = findings.get(name);
    found?.set(promise, 'broken');
    let loads = 0;
    for (const one of all) {
      const quiet = {
        name: `after ${one.name}`,
        load: one.next,
        expects: 'right' as const,
        budget: UNLIMITED,
      };
      for (const trial of [one, quiet]) {
        try {
          if (check(trial)) loads += 1;
        } catch (error) {
          throw new Error(`${trial.name}: ${(error as Error).message}`, { cause: error });
        }
      }
    }
    const reason = without[promise];
    expect(reason === undefined, 'a promise is checked, or there is a reason').toBe(loads > 0);
    found?.set(promise, reason === undefined ? { loads } : { reason });
  });
});

test('MATRIX.md is what this run found', () => {
  const table = tableOf(FAULTS, findings);
  if (process.env.LUID_UPDATE === '1') writeFileSync(MATRIX, table);
  expect(readFileSync(MATRIX, 'utf8')).toBe(table);
});
