import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { measureCommand } from '../measured-command.ts';
import { describeUsage, judge, milliseconds, type TargetBenchmark, type Usage } from './target.ts';

const CLI = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

const version: TargetBenchmark = {
  name: 'version',
  async run(rounds) {
    const runs: Usage[] = [];
    for (let round = 0; round < rounds; round++) {
      runs.push(
        await measureCommand(async (env) => {
          const options = { env: { ...process.env, ...env } };
          const { stdout } = await promisify(execFile)(process.execPath, [CLI, '--version'], options);
          return stdout;
        }),
      );
    }
    return [
      judge({
        what: '`luid --version`: CPU time',
        values: runs.map(({ cpu }) => cpu),
        limit: 80,
        format: milliseconds,
        figures: describeUsage('the process', runs),
      }),
    ];
  },
};

export const CLI_TARGETS: readonly TargetBenchmark[] = [version];
