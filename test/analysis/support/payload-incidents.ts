import { createHash } from 'node:crypto';
import { readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { idleDisk } from '../../shell/disk/machine-files.js';
import { liveMachine, type Machine } from '../../shell/disk/machine.js';
import { runUnit, says, siteOf, type Incident, type Site } from './incident.js';

const folder = 'templates/payload/usr/local/bin';

/** A payload as far as the scripts look at it: the magic of squashfs, and its size. */
const payload = Buffer.alloc(8192);
payload.write('hsqs');
payload.writeBigUInt64LE(8192n, 40);
const manifest = '{}\n';
const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Programs of the kernel's block layer. The payload is mounted as a folder with its manifest. */
const programs: Readonly<Record<string, string>> = {
  blockdev: 'if [[ "${1}" == --getsize64 ]]; then stat --format=%s "${@: -1}"; fi',
  losetup: 'if [[ "${*}" == *--show* ]]; then echo "${@: -1}"; fi',
  mount: `touch "\${STUB}/mounted"; echo '{}' >"\${@: -1}/payload.json"`,
  partx: 'true',
  wipefs: 'true',
  mountpoint: 'test -e "${STUB}/mounted"',
  umount: 'rm --force "${STUB}/mounted"',
  sync: 'true',
};

interface Made {
  readonly machine: Machine;
  readonly site: Site;
}

/** A live system with an empty installation disk, and the payload on a stick. */
function machineWithPayload(settings: Readonly<Record<string, string>> = {}): Made {
  const machine = liveMachine({ stubbedScripts: [], variables: { SNO_COREOS_INSTALLER: 'null' } });
  for (const name of readdirSync(folder))
    symlinkSync(resolve(folder, name), join(machine.root, 'usr/local/bin', name));
  const variables = {
    SNO_PAYLOAD_NAME: '4.22.0-x86_64.payload',
    SNO_PAYLOAD_BYTES: '8192',
    SNO_PAYLOAD_SHA256: sha256(payload),
    SNO_PAYLOAD_MANIFEST_SHA256: sha256(manifest),
    SNO_PAYLOAD_VERIFY: 'Manifest',
    SNO_PAYLOAD_REGISTRY_IS_OF_RELEASE: '1',
    ...settings,
  };
  const lines = Object.entries(variables).map(([name, value]) => `${name}='${value}'\n`);
  machine.write('opt/openshift/sno-payload.env', lines.join(''));
  machine.write('opt/openshift/.bootkube.done', '');
  machine.write('etc/iri-registry/auth/htpasswd', '');
  writeFileSync(join(machine.root, 'dev/sdb'), payload);
  attach(machine, [idleDisk, stick]);
  const site = siteOf(machine);
  for (const [name, text] of Object.entries(programs)) program(site, name, text);
  return { machine, site };
}

const stick = { ...idleDisk, name: '/dev/sdb', kname: '/dev/sdb' };
const freshDisk = { ...idleDisk, kname: '/dev/sda' };

function attach(machine: Machine, blockdevices: readonly object[]): void {
  machine.answer('disks.json', JSON.stringify({ blockdevices }));
}

/** Runs the unit that looks for the payload. */
function look(change: (made: Made) => void, settings: Readonly<Record<string, string>> = {}): () => Site {
  return () => {
    const made = machineWithPayload(settings);
    change(made);
    runUnit(made.site, 'sno-payload', 'sno-payload.sh', { variables: { SNO_PAYLOAD_LIMIT_SECONDS: '0' } });
    return made.site;
  };
}

/** Runs the copy to the installation disk, after the checks that install-to-disk.sh makes. */
function copy(change: (made: Made) => void, settings: Readonly<Record<string, string>> = {}): () => Site {
  return () => {
    const made = machineWithPayload(settings);
    const { machine, site } = made;
    attach(machine, [freshDisk, stick]);
    machine.write(
      'run/sno-install/installation-disk.json',
      JSON.stringify({ name: '/dev/sda', size: '480103981056', serial: '', wwn: '', sequence: '' }),
    );
    change(made);
    machine.write('usr/local/bin/copy.sh', copyOnly);
    runUnit(site, 'install-to-disk', 'copy.sh');
    return site;
  };
}

const copyOnly = `set -Eeuo pipefail
source "$(dirname "\${BASH_SOURCE[0]}")/sno-common.sh"
source "\${SNO_BIN_DIR}/sno-etcd.sh"
source "\${SNO_BIN_DIR}/sno-preflight-disk.sh"
source "\${SNO_BIN_DIR}/sno-payload-disk.sh"
record_begin
run_always copy-payload copy_payload
`;

/** The disk has a partition for the payload, which is a file. */
function withPartition({ machine }: Made, partition = 'sda5'): void {
  const children = [
    { name: `/dev/${partition}`, kname: `/dev/${partition}`, type: 'part', partlabel: 'sno-payload' },
  ];
  attach(machine, [{ ...freshDisk, children }, stick]);
  writeFileSync(join(machine.root, 'dev', partition), Buffer.alloc(8192));
}

/** Replaces a program of the machine. */
function program(site: Site, name: string, text: string): void {
  const path = join(dirname(site.root), 'support-programs', name);
  // It may be a link to the stub of all tests.
  rmSync(path, { force: true });
  writeFileSync(path, `#!/bin/bash\n${text}\n`, { mode: 0o755 });
}

const finding = 'find-payload of sno-payload';
const copying = 'copy-payload of install-to-disk';

/** Faults of a site with a payload. */
export const payloadIncidents: readonly Incident[] = [
  {
    name: 'no medium with the payload',
    happen: look(({ machine }) => {
      attach(machine, [freshDisk]);
    }),
    at: finding,
    faults: ['payload-missing'],
  },
  {
    name: 'the payload of another release',
    happen: look(() => undefined, { SNO_PAYLOAD_MANIFEST_SHA256: 'a'.repeat(64) }),
    at: finding,
    faults: ['payload-other'],
  },
  {
    name: 'a payload that is damaged',
    happen: look(() => undefined, { SNO_PAYLOAD_VERIFY: 'Full', SNO_PAYLOAD_SHA256: 'a'.repeat(64) }),
    at: finding,
    faults: ['payload-damaged'],
    isGathered: true,
  },
  {
    name: 'a registry image that cannot be loaded',
    happen: look(({ site }) => {
      says(
        site,
        'pull',
        'Error: open /run/sno-install/payload/images/registry/version: no such file or directory',
      );
    }),
    at: 'load-registry of sno-payload',
    faults: ['payload-registry-image'],
  },
  {
    name: 'a registry that does not start',
    happen: () => {
      const { site } = machineWithPayload();
      runUnit(site, 'sno-payload', 'sno-payload.sh');
      says(site, 'curl', 'curl: (7) Failed to connect to localhost port 22625');
      runUnit(site, 'sno-payload-registry', 'sno-payload-registry.sh', { args: ['wait'] });
      says(site, 'pull', `Error: initializing source docker://example.com/ocp/release:test: x`);
      runUnit(site, 'release-image', 'release-image-download.sh');
      return site;
    },
    at: 'pull-release-image of release-image',
    faults: ['payload-registry-silent'],
  },
  {
    name: 'a medium that is removed while its payload is in use',
    happen: () => {
      const { site } = machineWithPayload();
      runUnit(site, 'sno-payload', 'sno-payload.sh');
      program(site, 'dd', 'exit 1');
      program(site, 'podman', 'if [[ "${1}" == run ]]; then /usr/bin/sleep 5; fi');
      runUnit(site, 'sno-payload-registry', 'sno-payload-registry.sh', { args: ['run'] });
      return site;
    },
    at: 'sno-payload-registry',
    faults: ['payload-medium-removed'],
  },
  {
    name: 'a medium that is removed during the copy',
    happen: copy((made) => {
      withPartition(made);
      program(
        made.site,
        'dd',
        'if [[ "${*}" == *skip_bytes* ]]; then echo "dd: error reading x: Input/output error" >&2; exit 1; fi; exec /usr/bin/dd "${@}"',
      );
    }),
    at: copying,
    faults: ['payload-copy-failed'],
  },
  {
    name: 'a payload with another hash than in the config',
    happen: copy(withPartition, { SNO_PAYLOAD_SHA256: 'a'.repeat(64) }),
    at: copying,
    faults: ['payload-damaged'],
  },
  {
    name: 'a disk that stores other data',
    happen: copy((made) => {
      withPartition(made);
      program(made.site, 'tee', 'cat');
    }),
    at: copying,
    faults: ['payload-copy-damaged'],
  },
  {
    name: 'kept partitions without space for the payload',
    happen: copy(({ machine }) => {
      machine.write(
        'opt/openshift/sno-install.env',
        `${machine.read('opt/openshift/sno-install.env')}SNO_COREOS_INSTALLER='{"savePartitionLabels":["data*"]}'\n`,
      );
      const partitions = [{ node: '/dev/sda5', start: 2048, size: 900_000_000, name: 'data' }];
      machine.answer(
        'sfdisk',
        JSON.stringify({
          partitiontable: { label: 'gpt', firstlba: 2048, lastlba: 900_002_048, partitions },
        }),
      );
    }),
    at: copying,
    faults: ['payload-no-space'],
  },
  {
    name: 'a DASD',
    happen: copy(({ machine }) => {
      machine.write('dev/dasda', '');
      attach(machine, [{ ...freshDisk, name: '/dev/dasda', kname: '/dev/dasda' }, stick]);
      machine.write(
        'opt/openshift/sno-install.env',
        `${machine.read('opt/openshift/sno-install.env')}SNO_INSTALLATION_DISK=/dev/dasda\n`,
      );
      machine.write(
        'run/sno-install/installation-disk.json',
        JSON.stringify({ name: '/dev/dasda', size: '480103981056', serial: '', wwn: '', sequence: '' }),
      );
    }),
    at: copying,
    faults: ['payload-on-dasd'],
  },
  {
    name: 'a payload at the begin of the installation disk',
    happen: copy(({ machine, site }) => {
      writeFileSync(join(machine.root, 'dev/sda'), payload);
      attach(machine, [freshDisk]);
      runUnit(site, 'sno-payload', 'sno-payload.sh');
      machine.answer('lsblk', '/dev/sda\n');
    }),
    at: copying,
    faults: ['payload-on-installation-disk'],
  },
  {
    name: 'a new partition that the kernel does not show',
    happen: copy(() => undefined),
    at: copying,
    faults: ['payload-partition-unseen'],
  },
];
