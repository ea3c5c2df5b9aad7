import type { CaseName } from './cases.ts';
import { LIMIT, type Load } from './measure.ts';
import type { PeerName } from './peer.ts';

/** The loads of a run, to look figures up in. */
export function find(loads: readonly Load[], size: number, latency: number) {
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
  load.ended === 'too long' ? `> ${LIMIT / 1000} s` : seconds(load.ms);

export const memory = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

export const size = (bytes: number): string =>
  bytes >= 99_500 ? `${(bytes / 1e6).toFixed(bytes >= 9.95e6 ? 0 : 1)} MB` : `${(bytes / 1e3).toFixed(1)} kB`;

/** `2 (0)`: of two requests none counted against the limit. */
export const requests = ({ requests: all, counted }: Load): string =>
  counted === undefined ? String(all) : `${all} (${counted})`;

/** Right: as the service has it, or after a fault as it was, undamaged. */
export function isRight(load: Load): boolean {
  const { ended, verdict } = load;
  if (ended === 'too long') return false;
  return verdict.equals === 'now' || (isFault(load) && verdict.equals === 'last good');
}

const isFault = ({ case: name }: Load) => name === 'one 429' || name === 'one 500';

/** A loader that has no way to embed a reference can do nothing wrong with it. */
export function isNoQuestion({ verdict, case: name }: Load): boolean {
  return name === 'referenced entry edited' && !verdict.embeds;
}

/** The outcome in words. */
export function outcome(load: Load): string {
  const { ended, verdict } = load;
  if (ended === 'too long') return 'too long';
  if (isNoQuestion(load)) return '–';
  if (isRight(load)) {
    if (ended === 'well') return verdict.equals === 'now' ? 'right' : 'as before, goes on';
    return 'fails, as before';
  }
  const { stored, missing, extra, different } = verdict;
  const faults = [
    stored === 0 ? 'empty' : missing > 0 && `${missing} missing`,
    extra > 0 && `${extra} too many`,
    different > 0 && `${different} outdated`,
  ].filter(Boolean);
  const end = ended === 'failed' ? ', fails' : isFault(load) ? ', goes on' : '';
  return `**wrong**${end}: ${faults.join(', ')}`;
}
