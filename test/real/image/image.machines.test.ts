import { chmodSync, chownSync, cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { fleetFiles, fleetText } from '../../fleet/files.js';
import { liveFiles, liveIso } from '../../media/support/live-iso.js';
import { ageKeys } from '../../support/age-keys.js';
import { sno } from '../../support/command.js';
import { imageArchive, imageBuildTimeoutMs } from '../../support/image-archive.js';
import { snoConfigText } from '../../support/minimal-config.js';
import { freePort } from '../../support/ports.js';
import { pathOfProgram } from '../../support/programs.js';
import { readTree } from '../../support/read-tree.js';
import { scratchFolder } from '../../support/scratch.js';
import { curl, type PrintedUrls } from '../../support/serving.js';
import { describeWithMachine, machineTimeoutMs } from '../control-plane/support/tools.js';
import { waitUntil } from '../control-plane/support/wait-until.js';
import { startedStore } from '../store/started-store.js';
import { startedContainerd, type Containerd, type RunningContainer } from './containerd.js';
import { scaledMs } from '../../support/time-scale.js';

/** The user ID of the image. */
const userId = 65_532;

/** A folder with these files, owned by the user of the image and readable by others. */
function usersFolder(files: Readonly<Record<string, string | Buffer>> = {}): string {
  const folder = join(scratchFolder(), 'work');
  for (const [path, contents] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), contents);
  }
  mkdirSync(folder, { recursive: true });
  for (const path of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })])
    chownSync(join(folder, path), userId, userId);
  chmodSync(join(folder, '..'), 0o755);
  return folder;
}

const installConfig = readFileSync('fixtures/configs/minimal/install-config.yaml', 'utf8');

describeWithMachine('the image in a real containerd, as an unprivileged user', () => {
  let containerd: Containerd;
  beforeAll(async () => {
    if (pathOfProgram('curl') === undefined) throw new Error('curl is missing: apt-get install curl');
    containerd = await startedContainerd(imageArchive());
  }, imageBuildTimeoutMs);
  afterAll(async () => {
    await containerd.stop();
  });

  test('create writes the same files as the command from the same state', async () => {
    const work = usersFolder({ 'install-config.yaml': installConfig });
    const args = ['create', 'single-node-ignition-config'];
    expect(await containerd.run(args, { folders: { '/work': work } })).toMatchObject({ code: 0 });

    const again = scratchFolder();
    cpSync(join(work, 'install-config.yaml'), join(again, 'install-config.yaml'));
    cpSync(join(work, '.sno-install-state.json'), join(again, '.sno-install-state.json'));
    expect(sno(args, { cwd: again })).toMatchObject({ code: 0 });
    expect(readTree(again)).toEqual(readTree(work));
  });

  test('reports a directory that is not writable', async () => {
    const refused = await containerd.run(['create', 'install-config', '--dir', '/work/site']);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('error[dir/not-writable]');
  });

  test(
    'serve sends an image, runs without root and capabilities, and stops at SIGTERM',
    async () => {
      const work = usersFolder({ 'install-config.yaml': installConfig, 'live.iso': liveIso(liveFiles) });
      const folders = { '/work': work };
      expect(await containerd.run(['create', 'single-node-ignition-config'], { folders })).toMatchObject({
        code: 0,
      });
      const port = await freePort();
      const url = `https://127.0.0.1:${port}`;
      const words = ['serve', '--iso', 'live.iso', '--url', url];
      const printed = await containerd.run([...words, '--print-urls', '--output', 'json'], { folders });
      // ctr may print warnings on stderr, for example about cgroups.
      expect(printed.code, printed.stderr).toBe(0);
      const urls = JSON.parse(printed.stdout) as PrintedUrls;
      writeFileSync(join(work, 'ca.pem'), urls.authority?.pem ?? '');

      const server = await containerd.start([...words, '--listen', `127.0.0.1:${port}`], { folders });
      // The process drops its privileges first.
      await expect
        .poll(() => statusOf(server), { timeout: scaledMs(60_000) })
        .toEqual({
          Uid: `${userId}`,
          Gid: `${userId}`,
          CapEff: '0000000000000000',
          CapBnd: '0000000000000000',
          NoNewPrivs: '1',
        });
      const [site] = urls.sites;
      const iso = await waitUntil('the medium', () => {
        const got = curl(work, site?.iso ?? '');
        return Promise.resolve(got.status === 200 ? got.body : undefined);
      });
      expect(
        sno(['create', 'single-node-iso', '--iso', 'live.iso', '--out', 'own.iso'], { cwd: work }),
      ).toMatchObject({
        code: 0,
      });
      expect(iso.equals(readFileSync(join(work, 'own.iso')))).toBe(true);
      server.signal('SIGTERM');
      expect(await server.exited).toMatchObject({ code: 0 });
    },
    machineTimeoutMs,
  );

  test(
    'a shard of a fleet goes into a store; one that SIGTERM ends is gone on with',
    async () => {
      const rows = Array.from({ length: 24 }, (_, index) => `site-${index},192.168.126.${index + 10}\n`);
      const work = usersFolder({
        ...fleetFiles,
        'fleet.yaml': fleetText(`recipients: [${ageKeys.ours.recipient}]\nencryptOutputs: true\n`),
        'sites.csv': `name,ip\n${rows.join('')}`,
        'base/sno-config.yaml': snoConfigText(
          'hostname: ${name}\nnodeIP: ${ip}\ncertificates: { keyAlgorithm: ECDSA-P256 }\n',
        ),
      });
      const store = await startedStore();
      const options = { folders: { '/work': work, '/tmp': usersFolder() }, variables: store.variables };
      const create = ['fleet', 'create', '--jobs', '1', '--store', 's3://sites/spring'];
      const sites = (): readonly string[] =>
        readdirSync(join(store.bucket, 'spring/sites'))
          .filter((name) => name.endsWith('.tar'))
          .toSorted();
      const shard = await containerd.run([...create, '--shard', '0/8'], options);
      expect(shard).toMatchObject({ code: 0 });
      expect(sites()).toEqual(['site-0.tar', 'site-16.tar', 'site-8.tar']);

      const result = await containerd.start(create, options);
      await waitUntil('another site', () => Promise.resolve(sites().length > 3 || undefined), {
        pauseMs: 20,
      });
      result.signal('SIGTERM');
      // 128 plus the number of SIGTERM.
      expect(await result.exited).toMatchObject({ code: 143 });
      expect(sites().length).toBeLessThan(24);
      // It continues with the missing sites. The others cannot be decrypted without an identity and need no change.
      await containerd.run(create, options);
      expect(sites()).toHaveLength(24);
    },
    machineTimeoutMs,
  );
});

/** Identity and capabilities of the process. Source: proc_pid_status(5) */
function statusOf({ pid }: RunningContainer): Readonly<Record<string, string | undefined>> {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  const names = ['Uid', 'Gid', 'CapEff', 'CapBnd', 'NoNewPrivs'];
  return Object.fromEntries(
    names.map((name) => [name, new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(text)?.[1]]),
  );
}
