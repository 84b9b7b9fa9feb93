import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { masterConfig } from '../shell/disk/machine-files.js';
import { readIgnition } from '../shell/disk/read-ignition.js';
import { snoInProcess, type CommandOutput } from '../support/in-process.js';
import { liveRoot } from '../support/live-root.js';
import { scratchFolder } from '../support/scratch.js';

interface Site {
  readonly root: string;
  readonly input: string;
  readonly output: string;
  /** Writes to `output` unless `to` is given. */
  run(assetDir?: string, to?: string): Promise<CommandOutput>;
}

function site(): Site {
  const { root } = liveRoot();
  const input = join(root, 'opt/openshift/original-master.ign');
  const output = join(scratchFolder(), 'master.ign');
  const run = (assetDir = root, to = output): Promise<CommandOutput> =>
    snoInProcess(['enrich', '--asset-dir', assetDir, '--input', input, '--out', to]);
  return { root, input, output, run };
}

/** The message with folder names replaced. Sizes lose their fraction, which changes with the size of the node scripts. */
function named({ root, output }: Site, text: string): string {
  return text
    .replaceAll(output, 'OUT')
    .replaceAll(root, 'ROOT')
    .replace(/(\d+)\.\d MiB/, '$1 MiB');
}

describe('enrich', () => {
  it('writes the config with mode 0600 and prints a summary', async () => {
    const given = site();
    const { code, stdout, stderr } = await given.run();

    expect([code, stderr]).toEqual([0, '']);
    const { config, files } = readIgnition(readFileSync(given.output, 'utf8'));
    const { directories } = config.storage;
    expect(named(given, stdout)).toBe(
      `Wrote OUT: the master config with ${files.length} files, ${directories.length} directories and 2 units.\n` +
        'Size: 0 MiB of at most 160 MiB on the boot partition.\n\n' +
        'Keep the file secret, it contains the keys of the cluster. Next, to install it:\n' +
        '  coreos-installer install --copy-network --ignition-file OUT DISK\n',
    );
    expect(statSync(given.output).mode & 0o7777).toBe(0o600);
  });

  it('prints the path of the config as JSON', async () => {
    const { root, input, output } = site();
    const args = ['--asset-dir', root, '--input', input, '--out', output, '--output', 'json'];
    const { code, stdout } = await snoInProcess(['enrich', ...args]);
    expect([code, JSON.parse(stdout)]).toEqual([0, { ok: true, problems: [], path: output }]);
  });

  it('overwrites its output with the same bytes, also from a folder with copied parts', async () => {
    const given = site();
    await given.run();
    const first = readFileSync(given.output);
    chmodOpen(given.output);

    expect((await given.run()).code).toBe(0);
    expect(readFileSync(given.output).equals(first)).toBe(true);
    expect(statSync(given.output).mode & 0o7777).toBe(0o600);

    const parts = scratchFolder();
    const places = { openshift: 'opt/openshift', kubernetes: 'etc/kubernetes', bin: 'usr/local/bin' };
    for (const [name, place] of Object.entries(places)) {
      cpSync(join(given.root, place), join(parts, name), { recursive: true, dereference: true });
    }
    expect((await given.run(parts)).code).toBe(0);
    expect(readFileSync(given.output).equals(first)).toBe(true);
  });

  it('reports a host name from a MachineConfig', async () => {
    const given = site();
    const files = [...masterConfig.storage.files, { path: '/etc/hostname', contents: { source: 'data:,x' } }];
    writeFileSync(given.input, JSON.stringify({ ...masterConfig, storage: { files } }));
    expect((await given.run()).stdout).toContain('The host name is set by a MachineConfig.\n');
  });

  it('warns of a config that leaves little room', async () => {
    const given = site();
    const bundle = join(given.root, 'opt/openshift/log-bundle-bootstrap.tar.gz');
    writeFileSync(bundle, '');
    truncateSync(bundle, 95 * 1024 ** 2);
    const { code, stderr } = await given.run();
    expect([code, named(given, stderr)]).toEqual([
      0,
      'warning[enrich/large]: the config of the node takes 126 MiB; the boot partition has room for 160 MiB\n' +
        '   = hint: leave the log bundle out, or make extra manifests smaller\n',
    ]);
  });
});

interface Refusal {
  readonly code: string;
  readonly given: (given: Site) => void;
  readonly stderr: string;
}

const refusals: readonly Refusal[] = [
  {
    code: 'enrich/asset-dir',
    given: ({ root }) => {
      rmSync(join(root, 'opt'), { recursive: true });
      mkdirSync(join(root, 'opt/openshift'), { recursive: true });
      writeFileSync(join(root, 'opt/openshift/original-master.ign'), JSON.stringify(masterConfig));
    },
    stderr:
      'neither ROOT/openshift/bootstrap-in-place/node-files.list nor ROOT/opt/openshift/bootstrap-in-place/node-files.list exists\n' +
      '   = hint: name the root of the live system, or a folder that contains its openshift, kubernetes and bin folders\n',
  },
  {
    code: 'enrich/list',
    given: ({ root }) => {
      writeFileSync(
        join(root, 'opt/openshift/bootstrap-in-place/node-files.list'),
        '# mine\nkeep 0600 openshift/x\n',
      );
    },
    stderr:
      'a line has 3 columns, expected fate, mode, source and path\n' +
      '  --> ROOT/opt/openshift/bootstrap-in-place/node-files.list:2\n  |\n2 | (not shown: may contain a secret)\n' +
      '   = hint: copy it from the live system that this version of sno-install created, or name another folder with --asset-dir\n',
  },
  {
    code: 'enrich/missing-file',
    given: ({ root }) => {
      rmSync(join(root, 'etc/kubernetes/etcd-member-pod.yaml'));
    },
    stderr:
      'ROOT/etc/kubernetes/etcd-member-pod.yaml is missing; the installed node needs it as /etc/kubernetes/manifests/etcd-pod.yaml\n',
  },
  {
    code: 'enrich/input',
    given: ({ input }) => {
      writeFileSync(input, '<html><body>503 Service Unavailable</body></html>');
    },
    stderr:
      'the input is a page of HTML or XML, not an Ignition config\n  --> ROOT/opt/openshift/original-master.ign\n' +
      '   = hint: fetch it from the machine-config server with the header "Accept: application/vnd.coreos.ignition+json;version=3.2.0"\n',
  },
  {
    code: 'enrich/conflict',
    given: ({ input }) => {
      const units = [...masterConfig.systemd.units, { name: 'bootkube.service' }];
      writeFileSync(input, JSON.stringify({ ...masterConfig, systemd: { units } }));
    },
    stderr:
      'the input has a unit bootkube.service, which the bootstrap carries to the node\n' +
      '   = hint: leave it out of the MachineConfig that brings it\n',
  },
  {
    code: 'enrich/snapshot',
    given: ({ root }) => {
      truncateSync(join(root, 'opt/openshift/etcd-snapshot/snapshot.db'), 512);
    },
    stderr:
      'this is not an etcd snapshot, or it is damaged\n  --> ROOT/opt/openshift/etcd-snapshot/snapshot.db\n',
  },
  {
    code: 'enrich/too-large',
    given: ({ root }) => {
      const bundle = join(root, 'opt/openshift/log-bundle-bootstrap.tar.gz');
      writeFileSync(bundle, '');
      truncateSync(bundle, 300 * 1024 ** 2);
    },
    stderr:
      'the config of the node takes 400 MiB; the boot partition has room for 160 MiB\n' +
      '   = hint: leave the log bundle out, or make extra manifests smaller\n',
  },
];

describe('writes no file, and keeps an older output, for', () => {
  it.each(refusals)('$code', async ({ code, given, stderr }) => {
    const where = site();
    given(where);
    writeFileSync(where.output, 'an older one');

    const result = await where.run();

    expect(named(where, result.stderr)).toBe(`error[${code}]: ${stderr}\n1 error; nothing was written\n`);
    expect([result.code, result.stdout]).toEqual([1, '']);
    expect(readFileSync(where.output, 'utf8')).toBe('an older one');
  });

  it('enrich/output: the input, a carried file, a place among carried files, also by a link', async () => {
    const given = site();
    const link = join(scratchFolder(), 'link');
    symlinkSync(given.input, link);
    const places = [
      { output: given.input, overwritten: given.input },
      { output: link, overwritten: given.input },
      { output: join(given.root, 'opt/openshift/sno-install.env'), overwritten: undefined },
      {
        output: join(given.root, 'opt/openshift/tls/new.ign'),
        overwritten: join(given.root, 'opt/openshift/tls'),
      },
    ];
    for (const { output, overwritten: overwritten = output } of places) {
      const before = existsSync(output) ? readFileSync(output) : undefined;
      const { code, stderr } = await given.run(given.root, output);
      expect([code, stderr]).toEqual([
        1,
        `error[enrich/output]: --out ${output} would overwrite the input ${overwritten}\n` +
          '   = hint: name another file\n\n1 error; nothing was written\n',
      ]);
      expect(existsSync(output) ? readFileSync(output) : undefined).toEqual(before);
    }
  });

  it('a missing folder, and a path that is not a file: exit code 3', async () => {
    const given = site();
    const place = scratchFolder();
    for (const [output, reason] of [
      [join(place, 'none/master.ign'), 'it does not exist'],
      [place, 'it is not a regular file'],
      ['/dev/null', 'it is not a regular file'],
    ] as const) {
      const { code, stderr } = await given.run(given.root, output);
      expect([code, stderr]).toEqual([
        3,
        `error[dir/not-writable]: cannot write ${output}: ${reason}\n` +
          '   = hint: free disk space or grant write permission, and run the command again\n\n1 error; nothing was written\n',
      ]);
    }
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });
});

describe('a mistake on the command line', () => {
  const options = ['--asset-dir', '/nonexistent/live', '--input', '/nonexistent/master.ign'];
  it.each([
    {
      args: ['enrich', '--input', 'a', '--out', 'b'],
      says: "required option '--asset-dir <dir>' not specified",
    },
    {
      args: ['enrich', '--asset-dir', 'a', '--out', 'b'],
      says: "required option '--input <file>' not specified",
    },
    { args: ['enrich', ...options], says: "required option '--out <file>' not specified" },
    {
      args: ['enrich', ...options, '--out', 'b'],
      says: 'error[usage/unreadable-file]: --input /nonexistent/master.ign cannot be read: it does not exist',
    },
    { args: ['version', '--output', 'junit'], says: 'Allowed choices are text, json, yaml.' },
  ])('$says', async ({ args, says }) => {
    const { stdout, stderr } = await snoInProcess(args);
    expect(stdout).toBe('');
    expect(stderr).toContain(says);
  });
});

it('prints no secret, whatever goes wrong', async () => {
  const canary = 'Y2FuYXJ5LW9mLXRoZS1rZXlz';
  const given = site();
  const key = `-----BEGIN PRIVATE KEY-----\n${canary}\n-----END PRIVATE KEY-----\n`;
  writeFileSync(join(given.root, 'opt/openshift/tls/service-account.key'), key);
  const results = [await given.run()];
  appendFileSync(given.input, `{"canary": "${canary}"}`);
  results.push(await given.run());
  writeFileSync(given.input, JSON.stringify({ ...masterConfig, ignition: { version: '3.9.0' }, canary }));
  results.push(await given.run());
  writeFileSync(join(given.root, 'opt/openshift/etcd-snapshot/snapshot.json'), canary);
  results.push(await given.run());
  expect(results.map(({ code }) => code)).toEqual([0, 1, 1, 1]);
  for (const { stdout, stderr } of results) expect(`${stdout}${stderr}`).not.toContain(canary);
});

/** Recreates an output with mode 0644. */
function chmodOpen(path: string): void {
  rmSync(path);
  writeFileSync(path, 'older', { mode: 0o644 });
}
