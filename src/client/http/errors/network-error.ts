import type { Problem } from '../client-request.ts';

const CHECK_URL = 'Check the URL (`baseUrl`, LUID_BASE_URL).';
const UNREACHABLE = { message: 'host unreachable', hint: `Is this machine online? ${CHECK_URL}` };
const TIMED_OUT = {
  message: 'connection timed out',
  hint: `Is the service down, or a firewall in between? ${CHECK_URL}`,
};

/** By the codes that Node's `fetch` (undici) gives as the cause; other runtimes give none. */
const BY_CODE: Readonly<Record<string, Problem>> = {
  ECONNREFUSED: { message: 'connection refused', hint: `Is the service running? ${CHECK_URL}` },
  ENOTFOUND: { message: 'unknown host', hint: CHECK_URL },
  EAI_AGAIN: { message: 'DNS lookup failed', hint: UNREACHABLE.hint },
  ENETUNREACH: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  EADDRNOTAVAIL: UNREACHABLE,
  UND_ERR_CONNECT_TIMEOUT: TIMED_OUT,
  ETIMEDOUT: TIMED_OUT,
};

/** Codes for connections that were never made. */
const NOT_SENT = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];

/** Codes of OpenSSL and Node for a rejected certificate or a failed handshake. */
const TLS_CODE =
  /^(CERT_|ERR_TLS_|ERR_SSL_|EPROTO$|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|HOSTNAME_MISMATCH$|INVALID_CA$|PATH_LENGTH_EXCEEDED$)/;

/** Why `fetch`, or the reading of a body, failed. */
export function describeNetworkError(error: unknown, responseStarted: boolean): Problem {
  const code = errorCode(error) ?? '';
  const known = Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined;
  if (known && !responseStarted) return known;
  if (TLS_CODE.test(code)) {
    return {
      message: `TLS failed (${code})`,
      hint: `The certificate was rejected, or the port does not serve HTTPS. ${CHECK_URL} For a private certificate authority, set NODE_EXTRA_CA_CERTS.`,
    };
  }
  if (error instanceof Error && error.cause instanceof Error && error.cause.message === 'bad port') {
    return { message: '`fetch` blocks this port', hint: `See the Fetch standard. ${CHECK_URL}` };
  }
  return responseStarted
    ? { message: 'the response was cut off', hint: 'The connection broke: try again later.' }
    : { message: 'no response', hint: `Can the host be reached from here? ${CHECK_URL}` };
}

/** Whether the service cannot have received the request. */
export function isNeverSent(error: unknown): boolean {
  return NOT_SENT.includes(errorCode(error) ?? '');
}

/** The code of an error, or of the nearest cause that has one. */
function errorCode(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown };
    if (typeof code === 'string') return code;
  }
  return undefined;
}
