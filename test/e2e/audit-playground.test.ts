import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditReport } from '../../src/cli/audit-build/audit-report.ts';
import { type RunningEmulator, sampleSeed, startEmulator } from '../../src/emulator/index.ts';
import { createProject } from '../cli/support/cli-project.ts';
import { playgroundEnvironment } from './playground-site.ts';

let service: RunningEmulator;
beforeAll(async () => {
  const { seed, directory } = sampleSeed();
  service = await startEmulator(seed, { directory, rateLimit: false });
});
afterAll(() => service?.close());

// The other models take several minutes. Categories are shown by most routes of the playground.
test('no page of the playground stays old when a category changes', { timeout: 600_000 }, async () => {
  const project = createProject();
  try {
    const playground = new URL('../../playground', import.meta.url).pathname;
    const args = ['audit-build', '--json', '--models', 'category', '--dir', playground];
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
