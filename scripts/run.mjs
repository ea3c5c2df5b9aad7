// node scripts/run.mjs JOB [ARGUMENTS]: provides a current Node, installs the dependencies, and runs scripts/JOB.mjs.
// Uses no dependencies itself, since none may be installed yet.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWithParent } from './end-with-parent.mjs';

const OLDEST_NODE = [22, 12];
const FALLBACK_NODE = 'node@24';
/** Jobs that need no dependencies: this one completes the lock file that they are installed from. */
const STANDALONE = ['complete-lock'];

const root = fileURLToPath(new URL('..', import.meta.url));
const [job = '', ...args] = process.argv.slice(2);
const script = new URL(`${job}.mjs`, import.meta.url);
if (!/^[a-z-]+$/.test(job) || job === 'run' || !existsSync(script)) {
  fail(`Unknown job ${JSON.stringify(job)}. Try npm start or npm test.`);
}

endWithParent();
if (isCurrent(process.versions.node)) {
  if (!STANDALONE.includes(job)) installDependencies();
  await import(script.href);
} else {
  await runAgainOn(currentNode());
}

function isCurrent(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
}

/** The path of a current Node, which npx downloads if necessary. */
function currentNode() {
  console.error(
    `Node ${process.versions.node} is too old for Astro: using ${FALLBACK_NODE} from the registry.`,
  );
  const { status, stdout } = npm(
    'npx',
    ['-y', '-p', FALLBACK_NODE, '-c', 'node -p process.execPath'],
    'pipe',
  );
  if (status !== 0)
    fail(`Could not get ${FALLBACK_NODE}. Install Node ${OLDEST_NODE.join('.')} or later yourself.`);
  return stdout.trim().split('\n').at(-1);
}

/** Runs this file with another Node, forwards signals to it, and ends with its exit code. */
function runAgainOn(node) {
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` };
  const child = spawn(node, [fileURLToPath(import.meta.url), job, ...args], { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.on('exit', (code, signal) => {
      process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
      resolve();
    });
  });
}

/** Installs the dependencies, unless they were installed from this lock file on this platform. */
function installDependencies() {
  const lock = readFileSync(new URL('../package-lock.json', import.meta.url));
  const fingerprint = createHash('sha256')
    .update(lock)
    .update(`${process.platform} ${process.arch}`)
    .digest('hex');
  const marker = new URL('../node_modules/.installed-from', import.meta.url);
  if (existsSync(marker) && readFileSync(marker, 'utf8') === fingerprint) return;
  console.error('Installing dependencies …');
  const { status } = npm('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], 'inherit');
  if (status !== 0) fail('npm ci failed: see above. After a dependency changed: npm run complete-lock');
  writeFileSync(marker, fingerprint);
}

function npm(command, commandArgs, stdout) {
  return spawnSync(command, commandArgs, {
    cwd: root,
    stdio: ['ignore', stdout, 'inherit'],
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
