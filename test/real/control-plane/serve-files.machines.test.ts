import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { dataUrl } from '../../../src/formats/data-url.js';
import { layWithIgnition } from '../../support/real-ignition.js';
import { scratchFolder } from '../../support/scratch.js';
import { serveFiles } from './support/serve-files.js';
import { sha256OfFile } from './support/sha256-of-file.js';
import { buildTimeoutMs, describeWithMachine } from './support/tools.js';

describeWithMachine('files over TLS before the real Ignition engine', () => {
  test(
    'are fetched when the authority and the hash are theirs',
    async () => {
      const { config, bytes } = await configOfRemoteFile((hash) => hash);
      const laid = join(layWithIgnition(config, scratchFolder()), 'usr/local/bin/program');
      expect(readFileSync(laid, 'utf8')).toBe(bytes);
      expect(statSync(laid).mode & 0o777).toBe(0o755);
    },
    buildTimeoutMs,
  );

  test(
    'are refused when the hash is of another file',
    async () => {
      const { config } = await configOfRemoteFile((hash) =>
        hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
      );
      expect(() => layWithIgnition(config, scratchFolder())).toThrow(/verif/);
    },
    buildTimeoutMs,
  );
});

async function configOfRemoteFile(hashOf: (hash: string) => string) {
  const bytes = '#!/bin/sh\nexit 0\n';
  const source = join(scratchFolder(), 'program');
  writeFileSync(source, bytes);
  const server = await serveFiles({ program: source });
  onTestFinished(server.stop);
  const config = JSON.stringify({
    ignition: {
      version: '3.2.0',
      security: { tls: { certificateAuthorities: [{ source: dataUrl(server.caPem) }] } },
    },
    storage: {
      files: [
        {
          path: '/usr/local/bin/program',
          mode: 0o755,
          contents: {
            source: `${server.url}/program`,
            verification: { hash: `sha256-${hashOf(await sha256OfFile(source))}` },
          },
        },
      ],
    },
  });
  return { config, bytes };
}
