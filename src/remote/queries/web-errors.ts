import { certificateFaults, connectionFaults } from '../../core/connection-faults.js';
import { systemErrorCode } from '../../disk/system-error.js';
import type { PullAnswer } from '../preflight/answers.js';

/** The proxy is unreachable or rejects the request. */
export class ProxyError extends Error {
  /** A few words. If absent, the cause describes the error. */
  constructor(
    readonly reason: string | undefined,
    options?: ErrorOptions,
  ) {
    super('a proxy failed', options);
  }
}

/** An invalid response. The reason does not quote it. */
export class ResponseError extends Error {
  constructor(readonly reason: string) {
    super('invalid response');
  }
}

/** Maps an error of a registry request. The result quotes nothing that was sent or received. */
export function answerOfError(error: unknown, isTooLate: boolean): PullAnswer {
  if (error instanceof ProxyError) {
    const reason = error.reason ?? reasonOf(error.cause, isTooLate);
    return { kind: 'proxy', reason: `proxy failure: ${reason}` };
  }
  if (error instanceof ResponseError) return { kind: 'failing', reason: error.reason };
  const code = systemErrorCode(error) ?? '';
  const untrusted = certificateFaults[code];
  if (untrusted !== undefined) return { kind: 'untrusted', reason: untrusted };
  return { kind: 'unreachable', reason: reasonOf(error, isTooLate) };
}

function reasonOf(error: unknown, isTooLate: boolean): string {
  if (isTooLate) return 'timed out';
  const code = systemErrorCode(error);
  return code === undefined
    ? 'the connection failed'
    : (certificateFaults[code] ?? connectionFaults[code] ?? code);
}
