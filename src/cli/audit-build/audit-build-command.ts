import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { LuidConfigError, LuidError } from '../../errors.ts';
import { flag, list, nonEmpty, parseOptions } from '../shared/command-options.ts';
import { exitOnSignals } from '../shared/exit-on-signals.ts';
import { logError, logInfo, print, printJson, styled } from '../shared/output.ts';
import { createReport, printReport } from './audit-report.ts';
import { auditSite } from './audit-site.ts';
import { BuildError, Builder } from './run-build.ts';
import { copySite } from './site-copy.ts';

const HELP = `luid audit-build: find pages that incremental builds leave old

Builds a copy of the site again and again, each time with one change of its content: an entry edited, translated, added,
removed or moved. Names each page whose cacheKey stays the same although a full build renders it differently, and what
its key misses. The content is changed inside of the copy only: nothing is written to the service, the project, its
cache or dist.

  --dir DIR             the project folder (default: the current one)
  --models A,B          change content of these models only (default: all)
  --json                print the full report as JSON

A site of 7 models takes about 50 builds. Exit codes: 0 no page stays old, or the site does not use incremental builds;
1 at least one page stays old; 2 invalid options, no Astro project, or the site cannot be copied or built; 130 stopped by
Ctrl-C, 143 by SIGTERM. The copy is removed in every case.

  luid audit-build
  luid audit-build --models article,author
  luid audit-build --json > audit.json
`;

const OPTIONS = { dir: nonEmpty('a folder'), models: list('models such as article,author'), json: flag };

export async function auditBuildCommand(args: string[]): Promise<number> {
  const options = parseOptions('audit-build', OPTIONS, args);
  if (options.help) {
    print(HELP);
    return 0;
  }
  try {
    return await audit(resolve(options.dir ?? '.'), options);
  } catch (error) {
    if (error instanceof BuildError) {
      logInfo(error.output.trimEnd());
      logError('the site cannot be built: see the output of the build above');
      return 2;
    }
    if (!LuidError.is(error)) throw error;
    logInfo(`luid audit-build: ${error.message}`);
    return 2;
  }
}

async function audit(
  project: string,
  { json, models }: { json: boolean; models: readonly string[] | undefined },
): Promise<number> {
  requireAstro(project);
  let running: Builder | undefined;
  // Before the copy is made: a signal meanwhile is handled when it is complete, and can be removed.
  const removeSignalHandlers = exitOnSignals(async () => running?.stop(), { SIGINT: 130, SIGTERM: 143 });
  const copy = copySite(project);
  process.once('exit', copy.remove);
  try {
    const builder = new Builder(copy);
    running = builder;
    const onStep = (step: string) => logInfo(styled('dim', `… build ${builder.count + 1}: ${step}`));
    const report = createReport(
      await auditSite(builder, { exchange: copy.exchange, models, onStep }),
      builder.count,
    );
    if (json) printJson(report);
    else printReport(report);
    return report.ok ? 0 : 1;
  } finally {
    removeSignalHandlers();
    copy.remove();
    process.off('exit', copy.remove);
  }
}

function requireAstro(project: string): void {
  try {
    createRequire(join(project, 'package.json')).resolve('astro/package.json');
  } catch (cause) {
    throw new LuidConfigError(`Astro is not installed in ${project}`, {
      hint: 'Run `npm install` there, or pass the project folder as --dir DIR.',
      cause,
    });
  }
}
