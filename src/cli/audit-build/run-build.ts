import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { printable } from '../../shared/printable.ts';
import { AUDIT_VARIABLE, type AuditInstructions } from '../../space/audited-content.ts';
import { BUILD_SITE, type BuildRequest, type SiteInfo } from './build-site.ts';
import { type BuiltPages, readBuiltPages } from './built-pages.ts';
import { inCopy, type SiteCopy } from './site-copy.ts';

export interface BuildOptions {
  readonly changes?: AuditInstructions['changes'];
  /** The first build reads from the service; all others use what it stored, so that content stays as it is. */
  readonly isFirst?: boolean;
  /** Start from the saved cache. Default: a full build. */
  readonly incremental?: boolean;
}

export interface Build extends SiteInfo {
  readonly pages: BuiltPages;
}

export class BuildError extends Error {
  /** What the build printed. */
  readonly output: string;

  constructor(output: string) {
    super('The build failed');
    this.output = output;
  }

  /** The line of the output with the reason. */
  get reason(): string {
    const lines = this.output.split('\n').map((line) => line.trim());
    const line = lines.find((one) => /error/i.test(one)) ?? lines.findLast((one) => one !== '') ?? '';
    return printable(line, 200);
  }
}

/** Runs builds of a copy, one after the other. */
export class Builder {
  /** How many builds were run. */
  count = 0;
  readonly #copy: SiteCopy;
  #child: ChildProcess | undefined;
  #stopped = false;

  constructor(copy: SiteCopy) {
    this.#copy = copy;
  }

  /** Throws `BuildError`. */
  async build({ changes = {}, isFirst = false, incremental = false }: BuildOptions = {}): Promise<Build> {
    const { root, outDir, cacheDir, savedCacheDir, exchange } = this.#copy;
    this.count += 1;
    const instructions: AuditInstructions = { record: isFirst, changes };
    inCopy(() => {
      writeFileSync(join(exchange, 'instructions.json'), JSON.stringify(instructions));
      for (const folder of [outDir, cacheDir]) rmSync(folder, { recursive: true, force: true });
      if (incremental) cpSync(savedCacheDir, cacheDir, { recursive: true });
    });
    const info = join(exchange, 'info.json');
    const environment = { [AUDIT_VARIABLE]: exchange, ...(!isFirst && { LUID_OFFLINE: '1' }) };
    await this.#run({ root, outDir, cacheDir, info }, environment);
    const siteInfo = JSON.parse(readFileSync(info, 'utf8')) as SiteInfo;
    return { ...siteInfo, pages: readBuiltPages(cacheDir) };
  }

  /** Incremental builds start from the last build. */
  saveCache(): void {
    const { cacheDir, savedCacheDir } = this.#copy;
    if (existsSync(cacheDir)) inCopy(() => cpSync(cacheDir, savedCacheDir, { recursive: true }));
  }

  /** Ends the running build, and waits until it has ended. No other can be started. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  async #run(request: BuildRequest, variables: NodeJS.ProcessEnv): Promise<void> {
    const child = spawn(process.execPath, [BUILD_SITE, JSON.stringify(request)], {
      cwd: request.root,
      env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1', FORCE_COLOR: '0', ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    const code = await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    // The process is about to exit: nothing may be built or reported any more.
    if (this.#stopped) await new Promise(() => {});
    if (code !== 0) throw new BuildError(stripVTControlCharacters(output));
  }
}
