import { isIP } from 'node:net';
import { printable } from '../../printable.ts';
import { Refusal } from './refusal.ts';

/** Which names a listening emulator is reached by. */
export interface KnownHosts {
  /** The address or name that it listens on. */
  readonly host: string;
  /** Where it believes to be, if that was set. */
  readonly origin?: string | undefined;
  /** Further names; one that starts with a dot stands for all names below it, too. */
  readonly allowedHosts?: readonly string[] | undefined;
}

/**
 * Decides by the `Host` header whether a request is meant for this emulator. A web page anywhere can point
 * its own name at 127.0.0.1 (DNS rebinding) and so read what is served there; but its requests carry that
 * name. Loopback names, the host that it listens on, and those that were allowed pass. When it listens on
 * all addresses (0.0.0.0 or ::), every IP address passes, since no address can be rebound; names must be allowed.
 */
export function createHostCheck({ host, origin, allowedHosts = [] }: KnownHosts): (given: string) => boolean {
  const listening = host.toLowerCase();
  const names = new Set([
    listening,
    ...(origin !== undefined && URL.canParse(origin) ? [new URL(origin).hostname] : []),
  ]);
  const isEverywhere = listening === '0.0.0.0' || listening === '::';
  return (given) => {
    const name = nameOf(given);
    if (name === undefined) return false;
    const ip = isIP(name);
    if (ip === 0 ? isLocalName(name) : isLoopback(name)) return true;
    if (names.has(name) || names.has(`[${name}]`)) return true;
    if (ip !== 0 && isEverywhere) return true;
    return allowedHosts.some((allowed) => matches(name, allowed.toLowerCase()));
  };
}

/** The refusal of a request for another host. */
export function misdirected(given: string | undefined): Refusal {
  const name = given === undefined ? 'no host' : `the host ${JSON.stringify(printable(given, 100))}`;
  return new Refusal(421, {
    explanation: `This emulator does not respond to ${name}. Use its own URL, or allow the name: luid emulator --allowed-hosts NAME, or startEmulator(seed, { allowedHosts: ['NAME'] }).`,
  });
}

/** The name in a `Host` header, without port, brackets and a final dot, in lower case. */
function nameOf(given: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([\da-f:.]+)\]|([^\s:/?#@[\]\\]+))(?::\d{1,5})?$/i.exec(given) ?? [];
  return (bracketed ?? plain)?.toLowerCase().replace(/\.$/, '');
}

/** Browsers resolve all of these to loopback by themselves, so nobody can point them elsewhere. */
function isLocalName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.');
}

function matches(name: string, allowed: string): boolean {
  if (!allowed.startsWith('.')) return name === allowed;
  return name === allowed.slice(1) || name.endsWith(allowed);
}
