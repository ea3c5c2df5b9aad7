import { describeMachine, type Machine } from '../machine.ts';

export interface HostFigures {
  readonly name: string;
  /** Milliseconds until the first page, with nothing stored; absent where servers only read what is stored. */
  readonly empty?: number;
  /** The same with everything stored. */
  readonly stored: number;
}

export interface BundleFigures {
  readonly adapter: string;
  /** Bytes of the code of the server, each file with gzip. */
  readonly gzip: number;
  /** The same of a site without this package. */
  readonly plain: number;
}

export interface HostsResults {
  readonly machine: Machine;
  readonly rounds: number;
  readonly hosts: readonly HostFigures[];
  readonly bundles: readonly BundleFigures[];
}

const MAX_WORKER = 150_000;

/** The part of RESULTS.md about hosts. */
export function hostsSection({ machine, rounds, hosts, bundles }: HostsResults): string {
  const ms = (value: number | undefined) =>
    value === undefined ? '–' : `${Math.round(value).toLocaleString('en')} ms`;
  const kB = (bytes: number) => `${Math.round(bytes / 1000).toLocaleString('en')} kB`;
  const starts = hosts.map(({ name, empty, stored }) => `| ${name} | ${ms(empty)} | ${ms(stored)} |`);
  const sizes = bundles.map(
    ({ adapter, gzip, plain }) =>
      `| \`${adapter}\` | ${kB(gzip)} | ${kB(plain)} | ${kB(gzip - plain)}${targetOf(adapter, gzip - plain)} |`,
  );
  return `## Hosts

The site of \`test/hosts\`, built with the packed package. Cold start: from the start of the process to the end of the first
page from the copy of the content, which is 3 items: the quickest of ${rounds}, because the machine was busy. The process of
a Worker is workerd, which hosts keep running: its figure is the first request of a new Worker. Size: the code of the server,
each file with gzip, beside a site with the same kinds of pages and no package. ${describeMachine(machine)}

| host | nothing stored | everything stored |
|---|---|---|
${starts.join('\n')}

| adapter | server | without this package | more |
|---|---|---|---|
${sizes.join('\n')}
`;
}

function targetOf(adapter: string, more: number): string {
  if (!adapter.endsWith('cloudflare')) return '';
  return ` (target: at most ${MAX_WORKER / 1000} kB, ${more <= MAX_WORKER ? 'met' : '**missed**'})`;
}
