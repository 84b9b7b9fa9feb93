import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';
import { stringify } from 'yaml';

import { defaultKubernetesVersion } from '../../../src/release/kubernetes.js';
import { pathInMirror } from '../../../src/config/mirror-url.js';
import { publishedCniPlugins, publishedProgram } from '../../../src/release/published-programs.js';
import { sno } from '../../support/command.js';
import { describeWithIgnition, layWithIgnition } from '../../support/real-ignition.js';
import { serveFiles, type FileServer } from './support/serve-files.js';
import { buildTimeoutMs, describeWithMachine } from './support/tools.js';

/** The published programs cannot be downloaded here. The mirror serves other files, which must be rejected. */
describeWithMachine('a mirror that --offline-files names', () => {
  describeWithIgnition('before the real Ignition', () => {
    let scratch = '';
    let server: FileServer | undefined;
    beforeAll(async () => {
      scratch = mkdtempSync(join(tmpdir(), 'sno-install-mirror-'));
      const other = join(scratch, 'other');
      writeFileSync(other, 'not what is published\n');
      const published = [
        publishedProgram('kubelet', defaultKubernetesVersion, 'amd64'),
        publishedProgram('kubectl', defaultKubernetesVersion, 'amd64'),
        publishedCniPlugins('amd64'),
      ];
      server = await serveFiles(
        Object.fromEntries(published.map(({ url }) => [`files/${pathInMirror(url)}`, other])),
      );
    }, buildTimeoutMs);
    afterAll(async () => {
      await server?.stop();
      rmSync(scratch, { recursive: true });
    });

    it('serves files over TLS by host and path, checked against the published hashes', () => {
      const site = join(scratch, 'site');
      mkdirSync(site);
      cpSync('fixtures/configs/minimal', site, { recursive: true });
      const config = join(site, 'install-config.yaml');
      const trust = stringify({ additionalTrustBundle: server?.caPem });
      writeFileSync(config, `${readFileSync(config, 'utf8')}${trust}`);
      const { code, stderr } = sno([
        ...['create', 'aio-ignition', '--dir', site],
        ...['--offline-files', `${server?.url ?? ''}/files`],
      ]);
      expect([code, stderr]).toEqual([0, '']);
      const ignition = readFileSync(join(site, 'aio.ign'), 'utf8');
      expect(() => layWithIgnition(ignition, scratch)).toThrow(/hash verification failed/);
    });
  });
});
