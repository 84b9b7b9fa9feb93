import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { snapshot } from '../support/command.js';
import { snoInProcess } from '../support/in-process.js';
import { scratchFolder } from '../support/scratch.js';

const disk = '/dev/disk/by-id/wwn-0x5000c500a1b2c3d4';

function copyOf(name: string): string {
  const folder = scratchFolder();
  cpSync(join('fixtures/import', name), join(folder, name), { recursive: true });
  return folder;
}

describe('import agent-config', () => {
  it('prints what docs/import.md shows', async () => {
    const cwd = copyOf('agent');
    const [, shown = ''] = /^```console\n(.*?)^```$/ms.exec(readFileSync('docs/import.md', 'utf8')) ?? [];
    const args = ['import', 'agent-config', 'agent', '--dir', 'site1'];
    const { code, stdout, stderr } = await snoInProcess(args, { cwd });
    expect([code, `$ sno-install ${args.join(' ')}\n${stderr}${stdout}`]).toEqual([0, shown]);
  });

  it('writes a valid config with mode 0600 into an empty folder', async () => {
    const cwd = copyOf('agent');
    const dir = join(cwd, 'site1');
    mkdirSync(dir);
    expect((await snoInProcess(['import', 'agent-config', join(cwd, 'agent'), '--dir', dir])).code).toBe(0);

    expect(Object.entries(snapshot(dir)).map(([path, file]) => `${file.slice(0, 3)} ${path}`)).toEqual([
      '600 install-config.yaml',
      '600 openshift/50-banner.yaml',
      '600 sno-config.yaml',
    ]);
    expect(readFileSync(join(dir, 'sno-config.yaml'), 'utf8')).toContain(
      '      identifier: mac-address\n      mac-address: "52:54:00:12:34:56"\n',
    );
    expect(await snoInProcess(['validate', '--dir', dir])).toMatchObject({ code: 0, stderr: '' });
  });

  it('rejects a folder with files, except with --force, and its source folder', async () => {
    const cwd = copyOf('agent');
    const [from, dir] = [join(cwd, 'agent'), join(cwd, 'site1')];
    const args = ['import', 'agent-config', from, '--dir'];
    mkdirSync(dir);
    for (const name of ['notes.txt', 'sno-config.yaml']) writeFileSync(join(dir, name), 'mine\n');
    const before = snapshot(cwd);

    const refused = await snoInProcess([...args, dir]);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining(`error[import/folder-taken]: --dir ${dir} is not empty`),
    ]);
    expect((await snoInProcess([...args, from, '--overwrite'])).stderr).toContain(
      'is the directory to import',
    );
    expect(snapshot(cwd)).toEqual(before);

    expect((await snoInProcess([...args, dir, '--overwrite'])).code).toBe(0);
    expect(Object.keys(snapshot(dir))).toEqual([
      'install-config.yaml',
      'notes.txt',
      'openshift/50-banner.yaml',
      'sno-config.yaml',
    ]);
    expect(readFileSync(join(dir, 'sno-config.yaml'), 'utf8')).toContain('nodeIP: 192.168.126.10\n');
  });

  it('reports the problems of validate at the lines of the source, and writes no files', async () => {
    const cwd = copyOf('agent');
    const edit = (file: string, from: string, to: string): void => {
      const path = join(cwd, 'agent', file);
      writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
    };
    edit('agent-config.yaml', 'rendezvousIP: 192.168.126.10', 'rendezvousIP: 192.168.1.10');
    edit('agent-config.yaml', 'wwn: "0x5000c500a1b2c3d4"', 'deviceName: sda');
    edit('install-config.yaml', 'replicas: 1', 'replicas: 3');
    edit('openshift/50-banner.yaml', 'name: banner', 'name: ""');
    const dir = join(cwd, 'site1');
    const from = join(cwd, 'agent');
    const { code, stdout } = await snoInProcess([
      'import',
      'agent-config',
      from,
      '--dir',
      dir,
      '--output',
      'json',
    ]);
    const { problems } = JSON.parse(stdout) as {
      readonly problems: readonly { code: string; at: { file: string; line: number; col: number } }[];
    };
    const places = problems.map(
      ({ code: found, at }) => `${at.file.slice(from.length + 1)}:${at.line}:${at.col} ${found}`,
    );

    expect(code).toBe(1);
    expect(places.filter((each) => !each.endsWith('import/no-place'))).toEqual([
      'install-config.yaml:11:13 config/replicas',
      'agent-config.yaml:5:15 config/node-ip',
      'agent-config.yaml:12:19 config/installation-disk',
      'openshift/50-banner.yaml:4:3 manifest/missing-field',
    ]);
    expect(() => snapshot(dir)).toThrow('ENOENT');

    const given = ['--installation-disk', 'sda'];
    const { stderr } = await snoInProcess(['import', 'agent-config', from, '--dir', dir, ...given]);
    expect(stderr).toContain(
      'error[config/installation-disk]: --installation-disk: installationDisk "sda" is not',
    );
  });
});

describe('import cluster-instance', () => {
  it('makes a site of a folder of ZTP that validate passes', async () => {
    const cwd = copyOf('ztp');
    const dir = join(cwd, 'site1');
    const { code, stdout } = await snoInProcess([
      'import',
      'cluster-instance',
      join(cwd, 'ztp'),
      '--dir',
      dir,
    ]);

    expect([code, stdout]).toEqual([
      0,
      `Imported site1 into ${dir}: install-config.yaml, sno-config.yaml, pull-secret.json, openshift/99-master-ignition-override.yaml, manifests/50-banner.yaml.
4 fields not imported; see the warnings above.
pull-secret.json is a secret in plain text; do not commit it to Git.
Next: \`sno-install validate --dir ${dir}\`.
`,
    ]);
    expect(await snoInProcess(['validate', '--dir', dir])).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(join(dir, 'install-config.yaml'), 'utf8')).toContain('    - NodeTuning\n');
    expect(readFileSync(join(dir, 'sno-config.yaml'), 'utf8')).toContain(`    - name: eno2
      type: ethernet
      state: up
      identifier: mac-address
      mac-address: "52:54:00:12:34:57"
`);
    expect(readFileSync(join(dir, 'openshift/99-master-ignition-override.yaml'), 'utf8')).toContain(
      '          contents:\n            source: "data:,mast"\n',
    );
  });

  it('imports one file, the objects next to it, and the pull secret of the command line', async () => {
    const cwd = copyOf('ztp');
    const [dir, secret] = [join(cwd, 'site1'), join(cwd, 'ps.json')];
    rmSync(join(cwd, 'ztp/hub.yaml'));
    writeFileSync(secret, '{"auths":{"quay.io":{"auth":"dGhyb3dhd2F5OnRocm93YXdheQ=="}}}');
    const args = ['import', 'cluster-instance', join(cwd, 'ztp/site1.yaml'), '--dir', dir];
    const plain = await snoInProcess(args);
    expect([plain.code, plain.stderr.match(/^error.*/gm)]).toEqual([
      1,
      ['error[import/no-pull-secret]: pull secret not found in the input files'],
    ]);
    expect((await snoInProcess([...args, '--pull-secret-file', secret])).code).toBe(0);
    expect(Object.keys(snapshot(dir))).toContain('manifests/50-banner.yaml');
    expect(readFileSync(join(dir, 'pull-secret.json'), 'utf8')).toBe(readFileSync(secret, 'utf8'));
  });
});

describe('import install-dir', () => {
  it('skips files that create generates, and reports edits in them', async () => {
    const folder = scratchFolder();
    const [from, dir] = [join(folder, 'old'), join(folder, 'new')];
    cpSync('fixtures/configs/minimal', from, { recursive: true });
    expect((await snoInProcess(['create', 'manifests', '--dir', from])).code).toBe(0);
    rmSync(join(from, '.sno-install-state.json'));
    const generated = Object.keys(snapshot(from)).filter((path) => path.includes('/'));
    const scheduler = join(from, 'manifests/cluster-scheduler-02-config.yml');
    writeFileSync(
      scheduler,
      readFileSync(scheduler, 'utf8').replace('Schedulable: true', 'Schedulable: false'),
    );
    cpSync('fixtures/import/agent/openshift', join(from, 'openshift'), { recursive: true });
    writeFileSync(join(from, 'manifests/README'), 'none\n');

    const made = await snoInProcess(['import', 'install-dir', from, '--dir', dir, '--output', 'json']);
    const result = JSON.parse(made.stdout) as {
      readonly problems: readonly { readonly code: string; readonly at: object; readonly message: string }[];
      readonly files: readonly string[];
      readonly generated: readonly string[];
    };
    expect(result.files).toEqual(['install-config.yaml', 'openshift/50-banner.yaml']);
    expect(result.generated.toSorted()).toEqual(generated);
    expect(new Set(result.problems.map((found) => found.code))).toEqual(new Set(['import/left-out']));
    expect(result.problems).toEqual([
      expect.objectContaining({
        at: expect.objectContaining({ file: join(from, 'manifests/README') }) as object,
        message: 'the file is not imported: it is not a manifest',
      }),
      expect.objectContaining({
        at: expect.objectContaining({ file: scheduler, line: 6, path: 'spec.mastersSchedulable' }) as object,
        message: 'this generated file was changed and the change is not imported: "spec.mastersSchedulable"',
      }),
      expect.objectContaining({
        message: expect.stringMatching(
          /^cannot check whether these 10 generated files were changed/,
        ) as string,
      }),
    ]);
    expect(readFileSync(join(dir, 'install-config.yaml'))).toEqual(
      readFileSync(join(from, 'install-config.yaml')),
    );
  });

  it('requires a disk if the source has none', async () => {
    const folder = copyOf('agent');
    const args = ['import', 'install-dir', join(folder, 'agent'), '--dir', join(folder, 'new')];
    const { stderr } = await snoInProcess(args);
    expect(stderr).toContain('= hint: set it with --installation-disk, preferably a /dev/disk/by-id/ path');
    expect((await snoInProcess([...args, '--installation-disk', disk])).code).toBe(0);
  });
});
