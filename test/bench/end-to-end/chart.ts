import { barChart } from '../bar-chart.ts';
import { BUILDS, type EndToEndResults } from './end-to-end-section.ts';

/** A bar chart of the time of each build, by site; red if a page is outdated. */
export function endToEndChart({ sites }: EndToEndResults): string {
  const groups = Object.entries(BUILDS).map(([build, title]) => ({
    title,
    bars: sites.map(({ name, builds }) => {
      const { seconds, correct } = builds[build as keyof typeof BUILDS];
      const kind = !correct ? 'wrong' : name.startsWith('astro-luid') ? 'ours' : 'other';
      // The rest of the name is in the tables.
      const label = name.replace(/, (?:incremental|full) build$/, '').replace('and the same pages as', 'as');
      return { label, value: seconds, text: `${seconds.toFixed(1)} s`, kind } as const;
    }),
  }));
  return barChart('Time of a whole astro build, by site', groups);
}
