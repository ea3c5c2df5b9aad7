import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { LuidConfigError, LuidError } from '../../shared/errors.ts';
import { defineCommand, type Values } from '../shared/command.ts';
import { exitOnSignals } from '../shared/exit-on-signals.ts';
import { dirOption } from '../shared/load-space.ts';
import { atLeastOne, flag, list } from '../shared/option-kinds.ts';
import { logError, logInfo, printJson, styled } from '../shared/output.ts';
import { createReport, printReport } from './audit-report.ts';
import { auditSite } from './audit-site.ts';
import { BuildProgress } from './build-progress.ts';
import { BuildError, Builder } from './run-build.ts';
import { copySite } from './site-copy.ts';

const OPTIONS = {
  dir: dirOption,
  models: list('A,B', 'change content of these models only (default: all)', 'models such as article,author'),
  sample: atLeastOne('N', 'change at most N items of each model, for fewer builds'),
  json: flag('print the full report as JSON'),
};

const ABOUT = `find pages that incremental builds leave old

Builds a copy of the site again and again, each time with one change of its content: an entry edited, translated, added,
removed or moved. Names each page whose cacheKey stays the same although a full build renders it differently, and what
its key misses. The content is changed inside of the copy only: nothing is written to the service, the project, its
cache or dist.`;

const NOTES = `A site of 7 models takes about 50 builds; each line says how many, and how long, are left. Exit codes: 0 no page stays old, or the site does not use incremental builds;
1 at least one page stays old; 2 invalid options, no Astro project, or the site cannot be copied or built; 130 stopped by
Ctrl-C, 143 by SIGTERM. The copy is removed in every case.

  luid audit-build
  luid audit-build --models article,author
  luid audit-build --sample 1
  luid audit-build --json > audit.json`;

export const auditBuildCommand = defineCommand(
  { name: 'audit-build', about: ABOUT, options: OPTIONS, notes: NOTES },
  async (options) => {
    try {
      return await audit(resolve(options.dir ?? '.'), options);
    } catch (error) {
      if (error instanceof BuildError) {
        logInfo(error.output.trimEnd());
        logError('the site cannot be built: see the output of the build above');
      } else if (LuidError.is(error)) logInfo(`luid audit-build: ${error.message}`);
      else throw error;
      return 2;
    }
  },
);

async function audit(project: string, { json, models, sample }: Values<typeof OPTIONS>): Promise<number> {
  requireAstro(project);
  let running: Builder | undefined;
  // Before the copy is made: a signal meanwhile is handled when it is complete, and can be removed.
  const removeSignalHandlers = exitOnSignals(async () => running?.stop());
  const copy = copySite(project);
  process.once('exit', copy.remove);
  try {
    const builder = new Builder(copy);
    running = builder;
    const progress = new BuildProgress();
    const onStep = (step: string) => logInfo(styled('dim', `… ${progress.line(builder.count, step)}`));
    const onEstimate = (builds: number) => progress.expect(builds);
    const result = await auditSite(builder, { exchange: copy.exchange, models, sample, onStep, onEstimate });
    const report = createReport(result, builder.count);
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
