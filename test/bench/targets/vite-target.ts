import { createSite } from '../../e2e/site.ts';
import { runMeasured } from '../measured-command.ts';
import { describeUsage, judge, milliseconds, type TargetBenchmark, type Usage } from './target.ts';

/** From the import of the package until its loader sends the first request: what Vite and Node need to load it. */
const CONTENT_CONFIG = `
  import { defineCollection } from 'astro:content';
  const start = performance.now();
  const { defineSpace, field } = await import('astro-luid');
  let milliseconds = performance.now() - start;
  const space = defineSpace({ baseUrl: 'http://luid.test', apiKey: 'k', network: { retries: 0 }, models: { article: { title: field.text() } } });
  const loader = space.loader('article');
  const load = async (context) => {
    const loadStart = performance.now();
    const requested = Promise.withResolvers();
    globalThis.fetch = () => {
      requested.resolve();
      return new Promise(() => {});
    };
    loader.load(context);
    await requested.promise;
    console.log('LOADED IN ' + (milliseconds + performance.now() - loadStart));
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
        const [, value] = /LOADED IN ([\d.]+)/.exec(output) ?? [];
        if (!value) throw new Error(`The loader sent no request:\n${output}`);
        values.push(Number(value));
        syncs.push(usage);
      }
      return [
        judge({
          what: 'loading the package through Vite',
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
