import { isIP } from 'node:net';
import { printable } from '../../shared/printable.ts';
import { HttpError } from './http-error.ts';

/** The host names that a listening emulator responds to. */
export interface HostCheckOptions {
  /** The IP address or name that it listens on. */
  readonly host: string;
  /** Its configured origin. */
  readonly origin?: string | undefined;
  /** Further names; `.example.com` allows `example.com` and all its subdomains. */
  readonly allowedHosts?: readonly string[] | undefined;
}

/**
 * Creates a check of the `Host` header against DNS rebinding: any website can point its own name at 127.0.0.1
 * and read what is served there, but its requests contain that name. Loopback names, the host that the emulator
 * listens on and `allowedHosts` are accepted. If it listens on all addresses (0.0.0.0 or ::), so is every IP
 * address, since an address cannot be rebound.
 */
export function createHostCheck({
  host,
  origin,
  allowedHosts = [],
}: HostCheckOptions): (hostHeader: string) => boolean {
  const listeningHost = host.toLowerCase();
  const names = new Set([
    listeningHost,
    ...(origin !== undefined && URL.canParse(origin) ? [new URL(origin).hostname] : []),
  ]);
  const listensOnAll = listeningHost === '0.0.0.0' || listeningHost === '::';
  return (hostHeader) => {
    const name = parseHostName(hostHeader);
    if (name === undefined) return false;
    const ip = isIP(name);
    if (ip === 0 ? isLocalName(name) : isLoopback(name)) return true;
    if (names.has(name) || names.has(`[${name}]`)) return true;
    if (ip !== 0 && listensOnAll) return true;
    return allowedHosts.some((allowed) => matches(name, allowed.toLowerCase()));
  };
}

/** The error for a request to another host. */
export function createMisdirectedError(host: string | undefined): HttpError {
  const name = host === undefined ? 'no host' : `the host ${JSON.stringify(printable(host, 100))}`;
  return new HttpError(421, {
    explanation: `This emulator does not respond to ${name}. Use its own URL, or allow the name: luid emulator --allowed-hosts NAME, or startEmulator(seed, { allowedHosts: ['NAME'] }).`,
  });
}

/** The name in a `Host` header in lower case, without port, brackets and final dot. */
function parseHostName(host: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([\da-f:.]+)\]|([^\s:/?#@[\]\\]+))(?::\d{1,5})?$/i.exec(host) ?? [];
  return (bracketed ?? plain)?.toLowerCase().replace(/\.$/, '');
}

/** Browsers resolve these to loopback without DNS, so they cannot be rebound. */
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
