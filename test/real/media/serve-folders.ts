import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';

/** A file server on the loopback network. */
export interface FileServer {
  /** The URL for a QEMU machine, whose user network maps this system to 10.0.2.2. */
  readonly url: string;
  readonly close: () => void;
}

/** Serves the files of these folders by name. */
export async function serve(folders: readonly string[]): Promise<FileServer> {
  const server = createServer((request, response) => {
    const name = basename(request.url ?? '');
    const path = folders.map((folder) => join(folder, name)).find((each) => existsSync(each));
    if (path === undefined) response.writeHead(404).end();
    else createReadStream(path).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://10.0.2.2:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
