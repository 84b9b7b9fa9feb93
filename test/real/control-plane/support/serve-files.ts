import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { placeFile } from './place-file.js';
import { toolPath } from './tools.js';

export interface FileServer {
  /** `https://localhost:PORT`; the path of a file is `/NAME`. */
  readonly url: string;
  /** The CA of the server, for `additionalTrustBundle`. */
  readonly caPem: string;
  readonly stop: () => Promise<void>;
}

/**
 * Serves files of this machine by name over TLS on loopback. The server is a separate process, because waiting for the Ignition engine
 * blocks this one.
 */
export async function serveFiles(files: Readonly<Record<string, string>>): Promise<FileServer> {
  const folder = mkdtempSync(join(tmpdir(), 'sno-install-files-'));
  for (const [name, source] of Object.entries(files)) placeFile(source, join(folder, name));
  const program = await toolPath('programs', 'http-server');
  const server = spawn('setpriv', ['--pdeathsig', 'KILL', program, 'files', 'localhost:0', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stopped = new Promise<void>((resolve) =>
    server.on('close', () => {
      resolve();
    }),
  );
  const greeting = await new Promise<string>((resolve, reject) => {
    let text = '';
    server.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (text.includes('-----END CERTIFICATE-----\n')) resolve(text);
    });
    server.on('error', reject);
    server.on('close', () => {
      reject(new Error('the file server ended'));
    });
  });
  const [address = '', ...certificate] = greeting.split('\n');
  return {
    url: `https://localhost:${address.slice(address.lastIndexOf(':') + 1)}`,
    caPem: certificate.join('\n'),
    stop: async () => {
      server.kill('SIGKILL');
      await stopped;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
