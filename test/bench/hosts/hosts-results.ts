import type { Machine } from '../machine.ts';
import type { ProcessUsage } from './process-usage.ts';

/** The periodic checks of servers: the default of `refresh`. */
export const REFRESH_SECONDS = 10;
export const CRON_SECONDS = 5;

/** Until the first page was sent. */
export interface FirstPage extends ProcessUsage {
  /** Milliseconds of the request alone. */
  readonly request: number;
}

/** By what is stored; empty where a host cannot serve the page. */
export interface Starts {
  readonly nothing: readonly FirstPage[];
  readonly everything: readonly FirstPage[];
}

/** Seconds from each publish until a visitor sees it. */
export interface Freshness {
  readonly webhook: readonly number[];
  readonly cron: readonly number[];
  readonly polling: readonly number[];
  /** From the first request after a pause. */
  readonly afterPause: readonly number[];
}

/** Bytes with gzip. */
interface Size {
  readonly site: number;
  readonly plain: number;
}

export interface HostFigures {
  readonly name: string;
  readonly plainStarts: Starts;
  readonly starts: Starts;
  readonly size: Size;
  readonly freshness: Freshness;
}

export interface HostsResults {
  readonly machine: Machine;
  /** Average of the 15 minutes before the end of a run; the highest, if hosts were measured in several. */
  readonly load: number;
  readonly items: number;
  readonly hosts: readonly HostFigures[];
  /** As `wrangler` reports it. */
  readonly worker: Size;
}
