import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { doctorCommand } from '../../../src/cli/doctor/doctor-command.ts';
import type { RunningEmulator } from '../../../src/emulator/index.ts';
import { runCommand } from '../support/run-in-process.ts';
import { listeningService, SECRETS } from './service-with-history.ts';

let dir: string;
let service: RunningEmulator;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'luid-doctor-'));
  service = await listeningService();
});

afterEach(async () => {
  await service.close();
  rmSync(dir, { recursive: true, force: true });
});

const doctor = (env: Record<string, string> = {}, ...args: string[]) =>
  runCommand('doctor', doctorCommand, ['--dir', dir, ...args], {
    LUID_BASE_URL: service.baseUrl,
    LUID_API_KEY: SECRETS.published,
    LUID_DRAFT_API_KEY: SECRETS.drafts,
    ...env,
  });

const reportIn = (file: string) => JSON.parse(readFileSync(join(dir, file), 'utf8')) as { ok: boolean };

test('prints every check, writes the report, and exits with 0 if nothing differs', async () => {
  const { code, stdout, stderr } = await doctor();
  expect(stdout).toMatch(/^as assumed {6}unknown model: an unknown model in `model` matches nothing$/m);
  expect(stdout).toMatch(/^ +seen: a list of an unknown model is empty$/m);
  expect(stderr).toMatch(/\d+ as assumed, 0 differs, \d+ cannot be seen \(\d+ requests\)\./);
  expect(code).toBe(0);
  expect(reportIn('luid-doctor.json').ok).toBe(true);
  for (const secret of [SECRETS.published, SECRETS.drafts, SECRETS.title]) {
    expect(stdout + stderr + readFileSync(join(dir, 'luid-doctor.json'), 'utf8')).not.toContain(secret);
  }
});

test('a difference has its effect and setting, and the exit code is 1', async () => {
  service.assumptions.unknownModel = 'error';
  const { code, stdout } = await doctor({}, '--report', 'found.json');
  expect(stdout).toMatch(/^differs {9}unknown model: /m);
  expect(stdout).toMatch(/^ +effect: Once a declared model is removed/m);
  expect(stdout).toMatch(/^ +setting: emulator: assumptions \{ unknownModel: 'error' \}$/m);
  expect(code).toBe(1);
  expect(reportIn('found.json').ok).toBe(false);
});

test('only reads: each request is a GET', async () => {
  service.clearLog();
  await doctor();
  expect(new Set(service.log.map(({ method }) => method))).toEqual(new Set(['GET']));
  expect(service.log.length).toBeGreaterThan(20);
});

test('works without a key for drafts', async () => {
  const { code, stdout, stderr } = await doctor({ LUID_DRAFT_API_KEY: '' });
  expect(code).toBe(0);
  expect(stderr).toContain('without a key for drafts');
  expect(stdout).toMatch(/^cannot be seen {2}key for drafts: /m);
});

test('a wrong key is an error that names header and variable, not the key', async () => {
  const { code, stdout, stderr } = await doctor({ LUID_API_KEY: 'a-wrong-key' });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('401');
  expect(stderr).toContain('LUID_API_KEY');
  expect(stderr).toContain('X-SERVICE-API-KEY');
  expect(stderr).not.toContain('a-wrong-key');
});

test('a wrong key for drafts is an error too', async () => {
  const { code, stderr } = await doctor({ LUID_DRAFT_API_KEY: 'a-wrong-key' });
  expect(code).toBe(1);
  expect(stderr).toContain('LUID_DRAFT_API_KEY');
});

test('a service that is down is an error', async () => {
  const { baseUrl } = service;
  await service.close();
  const { code, stderr } = await doctor({ LUID_BASE_URL: baseUrl });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^luid doctor: \[GET\] /m);
  service = await listeningService();
});

test('a URL that answers with HTML is not the service', async () => {
  service.faults.add({ kind: 'html', times: 99 });
  const { code, stdout, stderr } = await doctor();
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('the response is not valid JSON');
});
