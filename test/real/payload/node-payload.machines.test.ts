import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  copyFileSync,
  readFileSync,
  truncateSync,
  writeFileSync,
  openSync,
  writeSync,
  closeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { afterEach, beforeAll, expect, it } from 'vitest';

import { payloadRegistry } from '../../../src/assets/tls/payload-registry.js';
import { templatesFrom } from '../../../src/disk/program-files/templates.js';
import { resolve } from '../../../src/graph/engine.js';
import { payloadLiveSystem, withPayloadAuth, type PayloadRegistry } from '../../../src/node/payload.js';
import { testContext } from '../../support/context.js';
import { minimalInstallConfig, snoConfigText } from '../../support/minimal-config.js';
import { expectOk } from '../../support/sound-value.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import {
  emptyDisk,
  madePayload,
  payloadMachine,
  type MadePayload,
  type PayloadMachine,
} from './payload-machine.js';

const mib = 1024 * 1024;

describeWith(
  ['mksquashfs', 'losetup', 'sgdisk', 'xorriso', 'docker-registry', 'skopeo'],
  'the payload on the node',
  () => {
    let payload: MadePayload;
    let machine: PayloadMachine;

    beforeAll(async () => {
      payload = await madePayload();
    });

    afterEach(() => {
      machine.remove();
    });

    /** A copy of the payload that a test may damage. */
    const copy = (): string => {
      const file = join(scratchFolder(), 'payload');
      copyFileSync(payload.file, file);
      return file;
    };

    const plainIso = (): string => {
      const folder = scratchFolder();
      writeFileSync(join(folder, 'file'), 'boot');
      const iso = join(scratchFolder(), 'x.iso');
      expect(spawnSync('xorriso', ['-as', 'mkisofs', '-o', iso, folder]).status).toBe(0);
      return iso;
    };

    /** An ISO with the payload behind its volume. */
    const isoWithPayload = (): string => {
      const iso = plainIso();
      truncateSync(iso, Math.ceil(readFileSync(iso).length / mib) * mib);
      appendFileSync(iso, readFileSync(payload.file));
      return iso;
    };

    const overwrite = (file: string, offset: number): void => {
      const opened = openSync(file, 'r+');
      writeSync(opened, Buffer.from('damaged'), 0, 7, offset);
      closeSync(opened);
    };

    const find = (): { readonly status: number | null; readonly console: string } => {
      const { status, text } = machine.run('sno-payload.sh');
      const shown = spawnSync('cat', [join(machine.root, 'etc/issue.d/45_sno-payload.issue')], {
        encoding: 'utf8',
      }).stdout;
      return { status, console: shown.replaceAll(/\\e\{[a-z]+\}/g, '').trim() || text };
    };

    it('is found behind the ISO of the boot medium, on disks and in labelled partitions', () => {
      for (const [kind, file] of [
        ['rom', isoWithPayload()],
        ['disk', isoWithPayload()],
        ['disk', payload.file],
      ] as const) {
        machine = payloadMachine(payload.settings);
        const path = machine.addDisk(file, { type: kind });
        expect(find()).toEqual({ status: 0, console: `Images come from the payload x.payload on ${path}.` });
        expect(machine.read('run/payload/payload.json')).toContain('"kind": "Payload"');
        expect(machine.read('podman')).toBe(`pull --quiet dir:${machine.root}/run/payload/images/registry\n`);
        expect(machine.run('sno-payload.sh').status).toBe(0);
        machine.remove();
      }
      machine = payloadMachine({ ...payload.settings, SNO_PAYLOAD_VERIFY: 'Full' });
      machine.addDisk(emptyDisk(4 * mib), { type: 'disk' });
      const path = machine.addDisk(payload.file, { type: 'part', label: 'sno-payload' });
      expect(find()).toEqual({ status: 0, console: `Images come from the payload x.payload on ${path}.` });
    });

    it('stops with everything that was looked at', () => {
      machine = payloadMachine(payload.settings);
      const cut = copy();
      truncateSync(cut, payload.bytes - 4096);
      const iso = plainIso();
      const paths = [iso, emptyDisk(4 * mib), cut].map((file) => machine.addDisk(file, { type: 'disk' }));
      expect(find()).toEqual({
        status: 1,
        console: `The installation waits, the disk is untouched: the payload x.payload (${payload.bytes} bytes) is on no disk of this machine; looked at:
  ${paths[0]}: an ISO without a payload behind it
  ${paths[1]} at byte 0: no payload
  ${paths[2]} at byte 0: the payload is cut off: the device has ${payload.bytes - 4096} bytes`,
      });
      machine.set({ SNO_PAYLOAD_CONSEQUENCE: 'Missing images cannot be pulled' });
      expect(find().console).toMatch(/^Missing images cannot be pulled: the payload x\.payload \(/);
    });

    it('is refused if it is another one or damaged', () => {
      machine = payloadMachine({ ...payload.settings, SNO_PAYLOAD_MANIFEST_SHA256: 'a'.repeat(64) });
      machine.addDisk(payload.file, { type: 'disk' });
      expect(find().console).toContain('its payload.json is another one');
      machine.set({ ...payload.settings, SNO_PAYLOAD_BYTES: String(payload.bytes + 4096) });
      expect(find().console).toContain(`a file system of ${payload.bytes} bytes, which is another payload`);
      machine.set({ ...payload.settings, SNO_PAYLOAD_VERIFY: 'Full', SNO_PAYLOAD_SHA256: 'b'.repeat(64) });
      expect(find().console).toContain('it is damaged (SHA-256');
    });

    const installed = (
      disk: string,
    ): { readonly label: string; readonly partition: Buffer; readonly table: string } => {
      const table = spawnSync('sfdisk', ['--json', disk], { encoding: 'utf8' }).stdout;
      const found = /"start": (\d+),\s*"size": (\d+),[^}]*"name": "(sno-payload)"/.exec(table);
      const start = Number(found?.[1]) * 512;
      return {
        label: found?.[3] ?? '',
        table,
        partition: readFileSync(disk).subarray(start, start + payload.bytes),
      };
    };

    const toDisk = (file: string): { readonly status: number | null; readonly text: string } => {
      machine = payloadMachine(payload.settings);
      machine.addDisk(payload.file, { type: 'rom' });
      machine.set({ SNO_INSTALLATION_DISK: machine.addDisk(file, { type: 'disk' }) });
      writeFileSync(join(machine.root, 'opt/openshift/.bootkube.done'), '');
      return machine.run('sno-payload-disk.sh');
    };

    it('is copied to a partition of the installation disk, which is kept', () => {
      const disk = emptyDisk(64 * mib);
      const ended = toDisk(disk);
      expect(ended, ended.text).toMatchObject({ status: 0 });
      const { label, partition } = installed(disk);
      expect(label).toBe('sno-payload');
      expect(partition.equals(readFileSync(payload.file).subarray(0, payload.bytes))).toBe(true);
      expect(machine.read('opt/openshift/sno-install.env').split('\n').at(-2)).toBe(
        `SNO_COREOS_INSTALLER='{"savePartitionLabels":["sno-payload"]}'`,
      );
      // A second run, after a kill for example, repairs a damaged copy.
      overwrite(
        Object.values(JSON.parse(machine.read('partitions.json')) as Record<string, string>)[0] ?? '',
        4096,
      );
      expect(machine.run('sno-payload-disk.sh').status).toBe(0);
      expect(installed(disk).partition.equals(readFileSync(payload.file).subarray(0, payload.bytes))).toBe(
        true,
      );
      const again = machine.run('sno-payload-disk.sh');
      expect(again.text).toContain('the payload is on /dev/loop');
      expect(machine.read('opt/openshift/sno-install.env').match(/savePartitionLabels/g)).toHaveLength(1);
    });

    it('does not touch a disk that is too small', () => {
      const disk = emptyDisk(payload.bytes - 4096);
      const ended = toDisk(disk);
      expect(ended.status).toBe(1);
      expect(ended.text).toContain('the cluster and the payload need');
      expect(readFileSync(disk).every((byte) => byte === 0)).toBe(true);
    });

    it('stays where it is on the installation disk', () => {
      const disk = emptyDisk(64 * mib);
      expect(spawnSync('sgdisk', ['--new=7:20M:0', '--change-name=7:sno-payload', disk]).status).toBe(0);
      const opened = openSync(disk, 'r+');
      const bytes = readFileSync(payload.file).subarray(0, payload.bytes);
      writeSync(opened, bytes, 0, bytes.length, 20 * mib);
      closeSync(opened);
      machine = payloadMachine(payload.settings);
      machine.set({ SNO_INSTALLATION_DISK: machine.addDisk(disk, { type: 'disk' }) });
      writeFileSync(join(machine.root, 'opt/openshift/.bootkube.done'), '');
      expect(find().status).toBe(0);
      const before = installed(disk).table;
      const ended = machine.run('sno-payload-disk.sh');
      expect(ended, ended.text).toMatchObject({ status: 0 });
      expect(installed(disk).table).toBe(before);
      expect(machine.read('systemctl')).toBe('stop sno-payload-registry.service\n');
      expect(spawnSync('mountpoint', [join(machine.root, 'run/payload')]).status).not.toBe(0);
    });

    it('is served with the certificate and the password of the site, read-only', async () => {
      const registry = await registryOf(payload);
      machine = payloadMachine(payload.settings);
      machine.addDisk(payload.file, { type: 'disk' });
      expect(find().status).toBe(0);
      for (const { path, contents } of payloadLiveSystem(registry, templatesFrom('templates')).files)
        if (path.startsWith('/etc/')) {
          mkdirSync(dirname(join(machine.root, path)), { recursive: true });
          writeFileSync(join(machine.root, path), contents);
        }
      const script = join(machine.root, 'bin/sno-payload-registry.sh');
      const served = spawn('bash', [script, 'run'], { env: machine.environment, stdio: 'ignore' });
      try {
        expect(machine.run('sno-payload-registry.sh', 'wait').status).toBe(0);
        const authFile = join(machine.root, 'auth.json');
        writeFileSync(authFile, withPayloadAuth('{"auths":{}}', registry));
        const inspect = (...args: readonly string[]): number | null =>
          spawnSync('skopeo', [
            'inspect',
            '--raw',
            '--cert-dir',
            join(machine.root, 'etc/containers/certs.d/localhost:22625'),
            ...args,
          ]).status;
        for (const { repository, digest } of payload.manifest.images)
          expect(
            inspect('--authfile', authFile, `docker://localhost:22625/${repository}@${digest}`),
            repository,
          ).toBe(0);
        const [{ repository, digest } = { repository: '', digest: '' }] = payload.manifest.images;
        expect(inspect('--no-creds', `docker://localhost:22625/${repository}@${digest}`)).not.toBe(0);
      } finally {
        served.kill();
      }
    });

    it('is mounted on the installed node from the disk of the system', () => {
      machine = payloadMachine(payload.settings);
      const disk = machine.addDisk(payload.file, { type: 'disk' });
      writeFileSync(join(machine.root, 'stubs/findmnt'), '#!/bin/sh\necho /dev/root\n');
      writeFileSync(
        join(machine.root, 'stubs/lsblk'),
        `#!/bin/sh\ncase "$*" in *--inverse*) echo "${disk} disk" ;; *) echo "/dev/other boot"; echo "${disk} sno-payload" ;; esac\n`,
      );
      const folder = join(machine.root, 'var/lib/iri-registry');
      for (const mode of ['plain', 'overlay']) {
        const script = 'templates/payload/installed/usr/local/bin/sno-payload-mount.sh';
        const run = (): number | null =>
          spawnSync('bash', [script, mode], { env: { ...machine.environment, SNO_ROOT: machine.root } })
            .status;
        expect(run(), mode).toBe(0);
        expect(run(), mode).toBe(0);
        expect(readFileSync(join(folder, 'payload.json'), 'utf8'), mode).toContain('"kind": "Payload"');
        const isWritable = spawnSync('touch', [join(folder, 'new')]).status === 0;
        expect(isWritable, mode).toBe(mode === 'overlay');
        spawnSync('umount', [folder]);
      }
      spawnSync('umount', [join(machine.root, 'run/sno-payload')]);
    });
  },
);

/** The registry of a site with this payload. */
async function registryOf({ file }: MadePayload): Promise<PayloadRegistry> {
  const context = testContext({
    files: {
      'install-config.yaml': minimalInstallConfig,
      'sno-config.yaml': snoConfigText('payload: {file: x.payload}\n'),
      'x.payload.json': readFileSync(`${file}.json`, 'utf8'),
    },
  });
  const registry = expectOk(await resolve([payloadRegistry], context)).valueOf(payloadRegistry);
  if (registry === undefined) throw new Error('no payload');
  return registry;
}
