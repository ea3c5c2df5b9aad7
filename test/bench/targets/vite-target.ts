import { createSite } from '../../e2e/site.ts';
import { runMeasured } from '../measured-command.ts';
import { describeUsage, judge, milliseconds, type TargetBenchmark, type Usage } from './target.ts';

/** In the graph of Vite that content configs and pages are in. */
const CONTENT_CONFIG = `
  import { defineCollection } from 'astro:content';
  const cpu = process.cpuUsage();
  await import('astro-luid');
  const { user, system } = process.cpuUsage(cpu);
  const load = async () => {
    console.log('IMPORTED IN ' + (user + system) / 1000);
  };
  export const collections = { articles: defineCollection({ loader: { name: 'measured', load } }) };`;

const vite: TargetBenchmark = {
  name: 'vite',
  async run(rounds) {
    const site = createSite({ 'src/content.config.ts': CONTENT_CONFIG }, {});
    try {
      const syncs: Usage[] = [];
      const values: number[] = [];
      for (let round = 0; round < rounds; round++) {
        const { output, ...usage } = await runMeasured(site, ['sync']);
        const [, value] = /IMPORTED IN ([\d.]+)/.exec(output) ?? [];
        if (!value) throw new Error(`Nothing was imported:\n${output}`);
        values.push(Number(value));
        syncs.push(usage);
      }
      return [
        judge({
          what: "`import 'astro-luid'` through Vite: CPU time",
          values,
          limit: 100,
          format: milliseconds,
          figures: describeUsage('the whole `astro sync`', syncs),
        }),
      ];
    } finally {
      site.remove();
    }
  },
};

export const VITE_TARGETS: readonly TargetBenchmark[] = [vite];
