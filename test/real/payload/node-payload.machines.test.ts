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

    const consoleOf = (name: string): string =>
      spawnSync('cat', [join(machine.root, `etc/issue.d/${name}.issue`)], { encoding: 'utf8' })
        .stdout.replaceAll(/\\e\{[a-z]+\}/g, '')
        .trim();

    const find = (): { readonly status: number | null; readonly console: string } => {
      const { status, text } = machine.run('sno-payload.sh');
      return { status, console: consoleOf('45_sno-payload') || text };
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
        console: `The installation waits, the disk is untouched: the payload x.payload on ${paths[2] ?? ''} is damaged: write it to the medium again, or attach another medium with it
looked at:
  ${paths[0]}: an ISO without a payload behind it
  ${paths[1]} at byte 0: no payload
  ${paths[2]} at byte 0: the payload is cut off: the device has ${payload.bytes - 4096} bytes`,
      });
      machine.set({ SNO_PAYLOAD_CONSEQUENCE: 'Missing images cannot be pulled' });
      expect(find().console).toMatch(
        /^Missing images cannot be pulled: the payload x\.payload on \S+ is damaged/,
      );
    });

    it('is refused if it is another one or damaged', () => {
      machine = payloadMachine({ ...payload.settings, SNO_PAYLOAD_MANIFEST_SHA256: 'a'.repeat(64) });
      machine.addDisk(payload.file, { type: 'disk' });
      expect(find().console).toContain('its payload.json is another one');
      machine.set({ ...payload.settings, SNO_PAYLOAD_BYTES: String(payload.bytes + 4096) });
      expect(find().console).toContain(`a file system of ${payload.bytes} bytes, which is another payload`);
      machine.set({ ...payload.settings, SNO_PAYLOAD_VERIFY: 'Full', SNO_PAYLOAD_SHA256: 'b'.repeat(64) });
      expect(find().console).toContain('it is damaged (SHA-256');
      expect(machine.run('sno-payload.sh').text).not.toContain('computing the SHA-256');
      machine.set({ ...payload.settings, SNO_PAYLOAD_VERIFY: 'Full' });
      const [disk = ''] = machine.read('run/payload-damaged').split(' ');
      // Another medium in the same drive.
      writeFileSync(
        join(machine.root, 'run/payload-damaged'),
        machine.read('run/payload-damaged').replace(/ \d*\t/, ' 0\t'),
      );
      expect(find()).toEqual({ status: 0, console: `Images come from the payload x.payload on ${disk}.` });
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
      return machine.run('copy-payload.sh');
    };

    it('is copied to a partition of the installation disk, which is kept', () => {
      const disk = emptyDisk(64 * mib);
      const result = toDisk(disk);
      expect(result, result.text).toMatchObject({ status: 0 });
      const { label, partition } = installed(disk);
      expect(label).toBe('sno-payload');
      expect(partition.equals(readFileSync(payload.file).subarray(0, payload.bytes))).toBe(true);
      expect(result.text).toContain('{"savePartitionLabels":["sno-payload"]}\n');
      expect(machine.read('systemctl')).toBe('stop sno-payload-registry.service\n');
      // A second run, after a kill for example, repairs a damaged copy.
      overwrite(
        Object.values(JSON.parse(machine.read('partitions.json')) as Record<string, string>)[0] ?? '',
        4096,
      );
      expect(machine.run('copy-payload.sh').status).toBe(0);
      expect(installed(disk).partition.equals(readFileSync(payload.file).subarray(0, payload.bytes))).toBe(
        true,
      );
      expect(machine.run('copy-payload.sh').text).toContain('the payload is on /dev/loop');
    });

    it('is copied between the system and a partition that is kept, in place of an incomplete copy', () => {
      const disk = emptyDisk(80 * mib);
      const table = ['1:1M:5M', '3:6M:9M', '6:60M:64M', '7:70M:+64K'].map((each) => `--new=${each}`);
      const names = ['1:boot', '3:root', '6:data1', '7:sno-payload'].map((each) => `--change-name=${each}`);
      expect(spawnSync('sgdisk', [...table, ...names, disk]).status).toBe(0);
      machine = payloadMachine(payload.settings);
      machine.addDisk(payload.file, { type: 'rom' });
      machine.set({
        SNO_INSTALLATION_DISK: machine.addDisk(disk, { type: 'disk' }),
        SNO_COREOS_INSTALLER: '{"savePartitionLabels":["data*"]}',
      });
      const result = machine.run('copy-payload.sh');
      expect(result, result.text).toMatchObject({ status: 0 });
      const { partitions } = (
        JSON.parse(installed(disk).table) as { partitiontable: { partitions: readonly { name: string }[] } }
      ).partitiontable;
      expect(partitions.map(({ name }) => name)).toEqual(['data1', 'sno-payload']);
      expect(installed(disk).partition.equals(readFileSync(payload.file).subarray(0, payload.bytes))).toBe(
        true,
      );
    });

    it('does not change a disk without space between the system and partitions that are kept', () => {
      const disk = emptyDisk(64 * mib);
      const names = ['--change-name=5:data1', '--change-name=6:old'];
      expect(spawnSync('sgdisk', ['--new=5:8M:63M', '--new=6:2M:3M', ...names, disk]).status).toBe(0);
      const before = installed(disk).table;
      machine = payloadMachine(payload.settings);
      machine.addDisk(payload.file, { type: 'rom' });
      const path = machine.addDisk(disk, { type: 'disk' });
      machine.set({
        SNO_INSTALLATION_DISK: path,
        SNO_COREOS_INSTALLER: '{"savePartitionLabels":["data*"]}',
      });
      const megabytes = Math.ceil(payload.bytes / 1e6);
      machine.environment['SNO_MINIMUM_SYSTEM_MIB'] = '8';
      const result = machine.run('copy-payload.sh');
      expect(result, result.text).toMatchObject({ status: 1 });
      expect(consoleOf('46_sno-payload-disk')).toBe(
        `The installation stopped before it touched the disk:\nthe installation disk ${path} has no space for the payload between the system and the partitions that are kept; it needs ${megabytes} MB`,
      );
      expect(installed(disk).table).toBe(before);
    });

    it('is not copied again from a damaged medium, and the console names the medium', () => {
      const file = copy();
      overwrite(file, payload.bytes - 100_000);
      machine = payloadMachine(payload.settings);
      const medium = machine.addDisk(file, { type: 'rom' });
      const disk = machine.addDisk(emptyDisk(64 * mib), { type: 'disk' });
      machine.set({ SNO_INSTALLATION_DISK: disk });
      expect(machine.run('copy-payload.sh').status).toBe(1);
      expect(consoleOf('46_sno-payload-disk')).toBe(
        `The payload on ${medium} is damaged, and the system is not installed: write it to the medium again, or attach another medium with it.`,
      );
      const again = machine.run('copy-payload.sh');
      expect(again.text).toContain(
        `the payload x.payload on ${medium} is damaged: write it to the medium again`,
      );
      expect(again.text).not.toContain('copying');
    });

    it('can be copied after its medium was removed and attached again', () => {
      const file = copy();
      machine = payloadMachine(payload.settings);
      machine.addDisk(file, { type: 'rom' });
      machine.set({ SNO_INSTALLATION_DISK: machine.addDisk(emptyDisk(64 * mib), { type: 'disk' }) });
      expect(find().status).toBe(0);
      truncateSync(file, 0);
      writeFileSync('/proc/sys/vm/drop_caches', '1');
      expect(machine.run('copy-payload.sh').status).toBe(1);
      expect(consoleOf('46_sno-payload-disk')).toMatch(
        /^The payload cannot be copied to the disk \S+, retrying: dd: .*Input\/output error$/,
      );
      expect(machine.run('copy-payload.sh').text).toContain('is on no disk of this machine');
      copyFileSync(payload.file, file);
      const result = machine.run('copy-payload.sh');
      expect(result, result.text).toMatchObject({ status: 0 });
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
      expect(find().status).toBe(0);
      const before = installed(disk).table;
      const result = machine.run('copy-payload.sh');
      expect(result, result.text).toMatchObject({ status: 0 });
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
      const served = spawn('bash', [script, 'run'], {
        env: machine.environment,
        stdio: 'ignore',
        detached: true,
      });
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
        // The script and the registry.
        process.kill(-(served.pid ?? Number.NaN));
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
