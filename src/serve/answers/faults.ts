import { problem, type Problem } from '../../core/problem.js';
import { reasonOf, systemErrorCode } from '../../disk/system-error.js';
import { FileChanged, SourceUnavailable } from './served-file.js';

/**
 * Describes for the operator why a request failed. Returns no problem for client errors (4xx). Tokens are removed from the
 * message. Problems: media/serve-fault.
 */
export function answerFault(error: unknown): readonly Problem[] {
  if (isOfClient(error)) return [];
  if (error instanceof SourceUnavailable) return error.problems;
  if (error instanceof FileChanged) {
    const message = 'the ISO or the config of the site changed during a download';
    const hint = 'restart the server if the ISO was replaced; changed configs are read automatically';
    return [problem('media/serve-fault', message, { hint })];
  }
  const reason = systemErrorCode(error) === undefined ? textOf(error) : reasonOf(error);
  return [problem('media/serve-fault', `a request failed: ${withoutTokens(reason)}`)];
}

/** Fastify errors about a request have a 4xx `statusCode`. */
function isOfClient(error: unknown): boolean {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  return typeof status === 'number' && status < 500;
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : 'unknown error';
}

/** A token may be any run of 32 or more base64url characters. */
function withoutTokens(text: string): string {
  return text.replace(/[\w-]{32,}/g, '…');
}
