import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

import { listeningPort } from '../support/ports.js';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

export interface ServedFiles {
  /** URL of the folder, with a trailing slash. */
  readonly url: string;
  readonly stop: () => void;
}

/** Serves a folder below a base path; other paths get 404. */
export async function servedFiles(folder: string, base: string): Promise<ServedFiles> {
  const server = createServer(({ url = '' }, response) => {
    const path = decodeURIComponent(new URL(url, 'http://127.0.0.1').pathname);
    const file = join(folder, path.slice(base.length).replace(/(^|\/)$/, '$1index.html'));
    if (!path.startsWith(base) || statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
      return response.writeHead(404).end();
    return response
      .writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' })
      .end(readFileSync(file));
  });
  const port = await listeningPort(server);
  return { url: `http://127.0.0.1:${port}${base}`, stop: () => server.close() };
}
