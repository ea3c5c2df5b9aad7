// node scripts/run.mjs JOB [ARGUMENTS]: provides a current Node, installs the dependencies, and runs scripts/JOB.mjs or
// the command of a dependency. Uses no dependencies itself, since none may be installed yet. With a current Node and
// after npm ci, npx vitest, npx biome and npx tsc need none of this.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWithParent } from './end-with-parent.mjs';
import { isInstalled } from './lock/installed.mjs';

const OLDEST_NODE = [22, 12];
const FALLBACK_NODE = 'node@24';
/** Jobs that need no dependencies: this one completes the lock file that they are installed from. */
const STANDALONE = ['complete-lock'];
/**
 * Jobs that need only the dependencies of the package and of the playground, less than half of all. What they need to build
 * the package is listed in playground/package.json too.
 */
const WITHOUT_TOOLS = ['start'];

const root = fileURLToPath(new URL('..', import.meta.url));
const [job = '', ...args] = process.argv.slice(2);
const script = new URL(`${job}.mjs`, import.meta.url);
if (!/^[a-z-]+$/.test(job) || job === 'run') failUnknown();

endWithParent();
if (isCurrent(process.versions.node)) {
  if (!STANDALONE.includes(job)) installDependencies();
  if (existsSync(script)) await import(script.href);
  else process.exitCode = runCommand();
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

/** Installs the dependencies that the job needs, unless they are installed. */
function installDependencies() {
  const omitsDev = WITHOUT_TOOLS.includes(job);
  const { platform, arch } = process;
  const locked = readPackages('package-lock.json') ?? {};
  const installed = readPackages('node_modules/.package-lock.json');
  if (installed && isInstalled(locked, installed, { omitsDev, platform, arch })) return;
  console.error('Installing dependencies …');
  const flags = ['--no-audit', '--no-fund', '--loglevel=error', ...(omitsDev ? ['--omit=dev'] : [])];
  const { status } = npm('npm', ['ci', ...flags], 'inherit');
  if (status !== 0) fail('npm ci failed: see above. After a dependency changed: npm run complete-lock');
}

/** The packages of a lock file, by place. */
function readPackages(file) {
  const url = new URL(`../${file}`, import.meta.url);
  return existsSync(url) ? JSON.parse(readFileSync(url, 'utf8')).packages : undefined;
}

/** Runs the command of a dependency and returns its exit code. */
function runCommand() {
  const path = fileURLToPath(new URL(`../node_modules/.bin/${job}`, import.meta.url));
  if (!existsSync(path)) failUnknown();
  return spawnSync(path, args, { stdio: 'inherit', shell: process.platform === 'win32' }).status ?? 1;
}

function npm(command, commandArgs, stdout) {
  return spawnSync(command, commandArgs, {
    cwd: root,
    stdio: ['ignore', stdout, 'inherit'],
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
}

function failUnknown() {
  fail(`Unknown job ${JSON.stringify(job)}. Try npm start or npm test.`);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
