import { splitCommand } from '../../formats/split-command.js';
import { parseJson } from '../../formats/json.js';
import { fieldAt } from '../../kube/fields.js';
import type { StoreCredentials } from './store-credentials.js';
import { StoreFault } from './store-fault.js';

/** Runs a program without a shell. The reason contains nothing that it prints. */
export type RunProgram = (
  words: readonly string[],
  limits: { readonly limitMs: number; readonly maxBytes: number },
) => Promise<{ readonly output: Uint8Array } | { readonly fault: string }>;

/** Long enough for a login on a slow network. */
const limits = { limitMs: 60_000, maxBytes: 256 * 1024 };

/**
 * Credentials that the `credential_process` of a profile prints. Throws StoreFault.
 * Source: docs.aws.amazon.com/sdkref/latest/guide/feature-process-credentials.html
 */
export async function processCredentials(command: string, run: RunProgram): Promise<StoreCredentials> {
  const split = splitCommand(command);
  if ('fault' in split) throw failed(split.fault);
  const ran = await run(split.words, limits);
  if ('fault' in ran) throw failed(ran.fault);
  const printed = parseJson(Buffer.from(ran.output).toString('utf8'));
  const text = (name: string): string | undefined => {
    const value = fieldAt(printed, [name]);
    return typeof value === 'string' && /^[\x21-\x7e]{1,16384}$/.test(value) ? value : undefined;
  };
  const isGiven = (name: string): boolean => (fieldAt(printed, [name]) ?? '') !== '';
  const [accessKeyId, secretAccessKey] = [text('AccessKeyId'), text('SecretAccessKey')];
  const [sessionToken, expiration] = [text('SessionToken'), text('Expiration')];
  const expires = expiration === undefined ? undefined : new Date(expiration);
  if (
    fieldAt(printed, ['Version']) !== 1 ||
    accessKeyId === undefined ||
    secretAccessKey === undefined ||
    (sessionToken === undefined && isGiven('SessionToken')) ||
    (expires === undefined && isGiven('Expiration')) ||
    Number.isNaN(expires?.getTime())
  )
    throw failed('does not print credentials as JSON of version 1');
  return {
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
    ...(expires !== undefined && { expires }),
  };
}

function failed(reason: string): StoreFault {
  return new StoreFault('credentials', `credential_process of the profile ${reason}`);
}
