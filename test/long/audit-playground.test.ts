import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditReport } from '../../src/cli/audit-build/audit-report.ts';
import { type RunningEmulator, sampleSeed, startEmulator } from '../../src/emulator/index.ts';
import { createProject } from '../cli/support/cli-project.ts';
import { playgroundEnvironment } from '../e2e/playground-site.ts';

let service: RunningEmulator;
beforeAll(async () => {
  const { seed, directory } = sampleSeed();
  service = await startEmulator(seed, { directory, rateLimit: false });
});
afterAll(() => service?.close());

test('no page of the playground stays old, whatever changes', { timeout: 3_600_000 }, async () => {
  const project = createProject();
  try {
    const playground = new URL('../../playground', import.meta.url).pathname;
    const args = ['audit-build', '--json', '--dir', playground];
    const { code, stdout, stderr } = await project.luid(args, playgroundEnvironment(service));
    const { findings, notes, pages } = JSON.parse(stdout) as AuditReport;
    expect(findings.map(({ message }) => message)).toEqual([]);
    expect(notes).toEqual([]);
    expect(pages).toBeGreaterThan(200);
    expect(code, stderr).toBe(0);
  } finally {
    project.remove();
  }
});
