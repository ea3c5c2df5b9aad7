import { expect, test } from 'vitest';
import { documentedHosts, hostsTable } from './hosts-table.ts';

test('the table of docs/guides/hosts.md is what the tests of hosts declare', () => {
  expect(documentedHosts(), 'run `node test/hosts/hosts-table.ts`').toBe(hostsTable());
});
