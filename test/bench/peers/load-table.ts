import type { CaseName } from './cases.ts';
import { type Load, TIMEOUT } from './measure.ts';
import type { PeerName } from './peer.ts';

/** Looks up the loads of one size and latency, by loader and case. */
export function loadFinder(loads: readonly Load[], size: number, latency: number) {
  return (peer: PeerName, name: CaseName): Load | undefined =>
    loads.find(
      (load) => load.peer === peer && load.size === size && load.latency === latency && load.case === name,
    );
}

export const seconds = (ms: number): string =>
  ms >= 9_950
    ? `${Math.round(ms / 1000)} s`
    : ms >= 995
      ? `${(ms / 1000).toFixed(1)} s`
      : `${Math.round(ms)} ms`;

export const time = (load: Load): string =>
  load.ended === 'timeout' ? `> ${TIMEOUT / 1000} s` : seconds(load.ms);

/** Older results lack it. */
export const cpuTime = ({ cpu }: { readonly cpu?: number }): string =>
  cpu === undefined ? '–' : seconds(cpu);

export const memory = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

export const size = (bytes: number): string =>
  bytes >= 99_500 ? `${(bytes / 1e6).toFixed(bytes >= 9.95e6 ? 0 : 1)} MB` : `${(bytes / 1e3).toFixed(1)} kB`;

/** `2 (0)`: two requests, none of which counts against the rate limit. */
export const requests = ({ requests: all, counted }: Load): string =>
  counted === undefined ? String(all) : `${all} (${counted})`;

/** The store equals the content of the service or, after a fault, the previous content. */
export function isCorrect(load: Load): boolean {
  const { ended, comparison } = load;
  if (ended === 'timeout') return false;
  return comparison.equals === 'current' || (isFault(load) && comparison.equals === 'previous');
}

const isFault = ({ case: name }: Load) => name === 'one 429' || name === 'one 500';

/** A loader that cannot embed references cannot show outdated ones. */
export function isNotApplicable({ comparison, case: name }: Load): boolean {
  return name === 'referenced entry edited' && !comparison.embeds;
}

/** The cell of a table that describes the result. */
export function outcome(load: Load): string {
  const { ended, comparison } = load;
  if (ended === 'timeout') return 'timeout';
  if (isNotApplicable(load)) return '–';
  if (isCorrect(load)) {
    if (ended === 'completed')
      return comparison.equals === 'current' ? 'correct' : 'content kept, build continues';
    return 'fails, content kept';
  }
  const { stored, missing, extra, different } = comparison;
  const problems = [
    stored === 0 ? 'empty' : missing > 0 && `${missing} missing`,
    extra > 0 && `${extra} not removed`,
    different > 0 && `${different} outdated`,
  ].filter(Boolean);
  const effect = ended === 'failed' ? ', build fails' : isFault(load) ? ', build continues' : '';
  return `**wrong**${effect}: ${problems.join(', ')}`;
}
