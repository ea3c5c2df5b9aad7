// node scripts/run.mjs JOB [ARGUMENTS]: a current Node, then the dependencies, then scripts/JOB.mjs.
// Plain JavaScript without dependencies: it is what runs when nothing is installed yet.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWithParent } from './end-with-parent.mjs';

const OLDEST_NODE = [22, 12];
const NODE_TO_BRING = 'node@24';
/** Jobs that need no dependencies: this one makes the lock file whole that they are installed from. */
const STANDALONE = ['complete-lock'];

const root = fileURLToPath(new URL('..', import.meta.url));
const [job = '', ...args] = process.argv.slice(2);
const script = new URL(`${job}.mjs`, import.meta.url);
if (!/^[a-z-]+$/.test(job) || job === 'run' || !existsSync(script)) {
  fail(`There is no job ${JSON.stringify(job)}. Try npm start or npm test.`);
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

/** Where a current Node lies, brought from the registry into npm's own cache when it is not there. */
function currentNode() {
  console.error(
    `Node ${process.versions.node} is too old for Astro: using ${NODE_TO_BRING} from the registry.`,
  );
  const { status, stdout } = npm(
    'npx',
    ['-y', '-p', NODE_TO_BRING, '-c', 'node -p process.execPath'],
    'pipe',
  );
  if (status !== 0)
    fail(`Could not get ${NODE_TO_BRING}. Install Node ${OLDEST_NODE.join('.')} or later yourself.`);
  return stdout.trim().split('\n').at(-1);
}

/** Runs this file on another Node. Signals go on to it, and its end is ours. */
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

/** Installs what the lock file names, unless that was done from this lock file on this kind of machine. */
function installDependencies() {
  const lock = readFileSync(new URL('../package-lock.json', import.meta.url));
  const wanted = createHash('sha256')
    .update(lock)
    .update(`${process.platform} ${process.arch}`)
    .digest('hex');
  const stamp = new URL('../node_modules/.installed-from', import.meta.url);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.error('Installing dependencies …');
  const { status } = npm('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], 'inherit');
  if (status !== 0) fail('npm ci failed: see above. After a dependency changed: npm run complete-lock');
  writeFileSync(stamp, wanted);
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
