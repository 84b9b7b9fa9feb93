import { problem, type Problem } from '../../core/problem.js';
import { reasonOf, systemErrorCode } from '../../disk/system-error.js';
import { FileChanged } from './served-file.js';

/**
 * Describes for the operator why a request failed. Returns no problem for client errors (4xx). Tokens are removed from the
 * message. Problems: media/serve-fault.
 */
export function answerFault(error: unknown): readonly Problem[] {
  if (isOfClient(error)) return [];
  if (error instanceof FileChanged) {
    const message = 'the ISO, or the config of the site, was written to while it was given out';
    const hint = 'start the server again after another ISO; configs are read anew by themselves';
    return [problem('media/serve-fault', message, { hint })];
  }
  const reason = systemErrorCode(error) === undefined ? textOf(error) : reasonOf(error);
  return [problem('media/serve-fault', `an answer could not be given: ${withoutTokens(reason)}`)];
}

/** Fastify errors about a request have a 4xx `statusCode`. */
function isOfClient(error: unknown): boolean {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  return typeof status === 'number' && status < 500;
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : 'what was thrown is no error';
}

/** A token may be any run of 32 or more base64url characters. */
function withoutTokens(text: string): string {
  return text.replace(/[\w-]{32,}/g, '…');
}
