import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';

/** Files on the loopback network. */
export interface FileServer {
  /** As a machine of QEMU sees it, whose user network has this system at 10.0.2.2. */
  readonly url: string;
  readonly close: () => void;
}

/** Serves the files that lie in these folders by their names. */
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
