/** Why there was no response, and what to do about it. */
export interface NetworkFailure {
  readonly what: string;
  readonly hint: string;
}

const CHECK_URL = 'Is the URL right (`baseUrl`, LUID_BASE_URL)?';

/** Codes that Node's `fetch` (undici) gives as the cause; other runtimes give none. */
const BY_CODE = failuresByCode();

// Marked for bundlers: a page that imports another part of this file's bundle does not need the table.
/* @__NO_SIDE_EFFECTS__ */
function failuresByCode(): Readonly<Record<string, NetworkFailure>> {
  const unreachable = { what: 'the host cannot be reached', hint: `Is this machine online? ${CHECK_URL}` };
  const noConnection = {
    what: 'no connection in time',
    hint: `Is a firewall in between, or the service down? ${CHECK_URL}`,
  };
  return {
    ECONNREFUSED: {
      what: 'connection refused',
      hint: `Nothing listens at that host and port. ${CHECK_URL} Is the service running?`,
    },
    ENOTFOUND: { what: 'unknown host', hint: `There is no host of that name. ${CHECK_URL}` },
    EAI_AGAIN: {
      what: 'the host name could not be resolved',
      hint: `DNS did not respond: is this machine online? ${CHECK_URL}`,
    },
    ENETUNREACH: unreachable,
    EHOSTUNREACH: unreachable,
    EADDRNOTAVAIL: unreachable,
    UND_ERR_CONNECT_TIMEOUT: noConnection,
    ETIMEDOUT: noConnection,
  };
}

/** What OpenSSL and Node call their refusals of a certificate or a handshake. */
const TLS =
  /^(?:CERT_|ERR_TLS_|ERR_SSL_|EPROTO$|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_(?:GET|VERIFY|DECODE|DECRYPT)_|HOSTNAME_MISMATCH$|INVALID_CA$|PATH_LENGTH_EXCEEDED$)/;

/** Why a request that was sent into the network has no response. */
export function networkFailure(error: unknown, hasBegun: boolean): NetworkFailure {
  const code = codeOf(error);
  const known = code === undefined ? undefined : BY_CODE[code];
  if (known && !hasBegun) return known;
  if (code !== undefined && TLS.test(code)) {
    return {
      what: `TLS failed (${code})`,
      hint: `The certificate was not accepted, or the port does not serve HTTPS. ${CHECK_URL} For a private certificate authority set NODE_EXTRA_CA_CERTS.`,
    };
  }
  if (isBlockedPort(error)) {
    return {
      what: 'a port that `fetch` does not connect to',
      hint: `The Fetch standard blocks it. ${CHECK_URL}`,
    };
  }
  return hasBegun
    ? { what: 'the response was cut off', hint: 'The connection broke: try again later.' }
    : { what: 'no response', hint: `${CHECK_URL} Can it be reached from here?` };
}

/** Our own time limit ran out. */
export function timedOut(milliseconds: number, hasBegun: boolean): NetworkFailure {
  const seconds = milliseconds / 1000;
  return {
    what: hasBegun ? `the response did not end within ${seconds} s` : `no response within ${seconds} s`,
    hint: 'The service or the network is slow: try again later, or raise `network.timeout`.',
  };
}

function isBlockedPort(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof Error && error.cause.message === 'bad port';
}

/** The code of an error or of what caused it. */
function codeOf(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown };
    if (typeof code === 'string') return code;
  }
  return undefined;
}
