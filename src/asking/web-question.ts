import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import type { TLSSocket } from 'node:tls';

import { connectionTo, type WayToRegistries } from './way-to-registries.js';
import { AnswerError } from './web-errors.js';

/** What came back, whole. */
export interface WebAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Source: opencontainers/distribution-spec, "Pushing Manifests": registries should take at least as much, and a manifest is no more. */
const maxBytes = 4 * 1024 * 1024;

/** Asks an https URL once. Throws what `answerOfError` knows. */
export async function askWeb(
  url: URL,
  headers: Readonly<Record<string, string>>,
  { way, signal }: { readonly way: WayToRegistries; readonly signal: AbortSignal },
): Promise<WebAnswer> {
  const socket = await connectionTo(url, way, signal);
  try {
    return await answerOver(socket, url, { headers, signal });
  } finally {
    // Otherwise either side may keep it for a next question.
    socket.destroy();
  }
}

interface Question {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

function answerOver(socket: TLSSocket, url: URL, { headers, signal }: Question): Promise<WebAnswer> {
  return new Promise((resolve, reject) => {
    const asking = request(url, {
      headers: { 'user-agent': 'sno-install', ...headers },
      signal,
      createConnection: () => socket,
    });
    asking.once('error', reject);
    asking.once('response', (answer) => {
      const chunks: Buffer[] = [];
      let length = 0;
      answer.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > maxBytes) answer.destroy(new AnswerError('its answer does not end'));
        else chunks.push(chunk);
      });
      answer.once('error', (error) => {
        reject(
          signal.aborted || error instanceof AnswerError ? error : new AnswerError('its answer ends early'),
        );
      });
      answer.once('end', () => {
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) });
      });
    });
    asking.end();
  });
}
