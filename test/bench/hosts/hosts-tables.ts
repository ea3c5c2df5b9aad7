import { table } from '../table.ts';
import { median } from '../targets/target.ts';
import {
  CRON_SECONDS,
  type FirstPage,
  type Freshness,
  type HostFigures,
  type HostsResults,
  REFRESH_SECONDS,
} from './hosts-results.ts';

type Lang = 'en' | 'ja';

const LABELS = {
  en: {
    webhook: 'webhook',
    cron: `cron job every ${CRON_SECONDS} s`,
    polling: `checks every ${REFRESH_SECONDS} s`,
    afterPause: 'first request after a pause',
    worst: ', worst ',
    nothing: 'first page, nothing stored',
    everything: 'first page, everything stored',
    plain: 'first page without this package',
    size: 'size of the server',
    added: 'of these by this package',
  },
  ja: {
    webhook: 'Webhook',
    cron: `${CRON_SECONDS} 秒ごとの cron`,
    polling: `${REFRESH_SECONDS} 秒ごとの確認`,
    afterPause: '休止後の最初のリクエスト',
    worst: '、最長 ',
    nothing: '最初のページ（何も保存されていない）',
    everything: '最初のページ（すべて保存されている）',
    plain: '最初のページ（このパッケージなし）',
    size: 'サーバーの大きさ',
    added: 'うち、このパッケージによるもの',
  },
};

const WAYS = ['webhook', 'cron', 'polling', 'afterPause'] as const satisfies readonly (keyof Freshness)[];

/** Median and worst, for RESULTS.md and the guide about hosts. */
export function freshnessTable(hosts: readonly HostFigures[], lang: Lang = 'en'): string {
  const labels = LABELS[lang];
  const rows = WAYS.map((way) => [
    labels[way],
    ...hosts.map(({ freshness }) => {
      const values = freshness[way];
      return `${duration(middle(values))}${labels.worst}${duration(Math.max(...values))}`;
    }),
  ]);
  return tableOf(hosts, rows);
}

/** Size and CPU time until the first page, for the guide about hosts. */
export function sizesTable({ hosts }: HostsResults, lang: Lang): string {
  const labels = LABELS[lang];
  const cpu = (pages: readonly FirstPage[]) =>
    pages.length === 0 ? '–' : `${seconds(median(pages.map((page) => page.cpu)))} s`;
  return tableOf(hosts, [
    [labels.size, ...hosts.map(({ size }) => kilobytes(size.site))],
    [labels.added, ...hosts.map(({ size }) => kilobytes(size.site - size.plain))],
    [labels.plain, ...hosts.map(({ plainStarts }) => cpu(plainStarts.everything))],
    [labels.everything, ...hosts.map(({ starts }) => cpu(starts.everything))],
    [labels.nothing, ...hosts.map(({ starts }) => cpu(starts.nothing))],
  ]);
}

export const tableOf = (hosts: readonly HostFigures[], rows: readonly (readonly string[])[]) =>
  table(['', ...hosts.map(({ name }) => name)], rows);

export const seconds = (ms: number) => (ms / 1000).toFixed(2);
export const kilobytes = (bytes: number) => `${Math.round(bytes / 1000)} kB`;

/** Of publishes that are spread evenly over an interval: with an even number, between the two in the middle. */
function middle(values: readonly number[]): number {
  return (median(values) - median(values.map((value) => -value))) / 2;
}

function duration(time: number): string {
  return time < 1 ? `${Math.round(time * 1000)} ms` : `${time.toFixed(1)} s`;
}
