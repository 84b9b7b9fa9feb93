import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import type { IgnitionConfig } from '../../src/ignition/types.js';
import {
  publishedCniPlugins,
  publishedProgram,
  type PublishedFile,
} from '../../src/release/published-programs.js';
import { snapshot } from '../support/command.js';
import { snoInProcess } from '../support/in-process.js';
import { readTree } from '../support/read-tree.js';
import { scratchFolder } from '../support/scratch.js';
import { throwawayState } from '../support/throwaway-state.js';

let state = '';
beforeAll(async () => {
  state = await throwawayState(readTree('fixtures/configs/aio-minimal'), {}, 'aio-ignition');
});

/** A folder with the minimal config and a state that already has its keys. */
function site(): string {
  const dir = join(scratchFolder(), 'site');
  mkdirSync(dir);
  cpSync('fixtures/configs/aio-minimal', dir, { recursive: true });
  writeFileSync(join(dir, '.sno-install-state.json'), state, { mode: 0o600 });
  return dir;
}

function snoConfigText(body: string): string {
  return `apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\n${body}`;
}

/** The files that the machine downloads. */
function fetchedBy(dir: string): readonly (readonly [string, string, PublishedFile])[] {
  const { storage } = JSON.parse(readFileSync(join(dir, 'aio.ign'), 'utf8')) as IgnitionConfig;
  return (storage?.files ?? []).flatMap(({ path, mode, contents }) =>
    contents?.source.startsWith('https:') === true
      ? [
          [
            path,
            mode.toString(8),
            { url: contents.source, sha256: contents.verification?.hash.replace('sha256-', '') ?? '' },
          ] as const,
        ]
      : [],
  );
}

describe('create aio-ignition', () => {
  it('prints the outputs, the boot deadline and the next step', async () => {
    const dir = site();
    const { code, stdout, stderr } = await snoInProcess(['create', 'aio-ignition', '--dir', 'site'], {
      cwd: dirname(dir),
    });

    expect([code, stderr]).toEqual([0, '']);
    const text = stdout.replaceAll(/\d{4}-\d\d-\d\dT[\d:]+Z/g, 'DATE').replaceAll(/ +[\d.]+ k?B/g, ' SIZE');
    expect(text.split('\n')).toEqual([
      'FILE                  MODE       SIZE  CHANGE',
      'site/aio.ign          0600 SIZE  written',
      'site/auth/kubeconfig  0600 SIZE  written',
      'site/metadata.json    0644 SIZE  written',
      'site/receipt.json     0644 SIZE  written',
      '',
      '  Machine       site1.example.com, host name site1',
      '  Network       no profiles: DHCP, unless kernel arguments configure the network',
      '  Boot before   DATE (29 days left)',
      '',
      'The running control plane renews its certificates.',
      '',
      'Next, from a CoreOS live system, or with a CoreOS disk image in QEMU:',
      '  coreos-installer install --ignition-file site/aio.ign /dev/disk/by-id/…',
      '  qemu-system-x86_64 … -fw_cfg name=opt/com.coreos/config,file=site/aio.ign',
      'Then: kubectl --kubeconfig site/auth/kubeconfig get nodes',
      '',
    ]);
  });

  it('needs no disk to install to, and writes the same bytes again', async () => {
    const dir = site();
    cpSync('fixtures/configs/aio-minimal', dir, { recursive: true });
    expect(readFileSync(join(dir, 'install-config.yaml'), 'utf8')).not.toContain('bootstrapInPlace');
    await snoInProcess(['create', 'aio-ignition', '--dir', dir]);
    const before = snapshot(dir);
    const { code, stdout } = await snoInProcess(['create', 'aio-ignition', '--dir', dir, '--output', 'json']);
    expect([code, snapshot(dir)]).toEqual([0, before]);
    const result = JSON.parse(stdout) as {
      ok: boolean;
      outputs: { path: string; change: string }[];
      bootableUntil: string;
    };
    expect(result.outputs.map(({ path, change }) => [path, change])).toEqual([
      ['aio.ign', 'unchanged'],
      ['auth/kubeconfig', 'unchanged'],
      ['metadata.json', 'unchanged'],
      ['receipt.json', 'unchanged'],
    ]);
    const metadata = JSON.parse(readFileSync(join(dir, 'metadata.json'), 'utf8')) as {
      bootableUntil: string;
    };
    expect([result.ok, result.bootableUntil]).toEqual([true, metadata.bootableUntil]);
  });

  it('prints no key, and keeps every secret from others', async () => {
    const dir = site();
    const { stdout, stderr } = await snoInProcess([
      'create',
      'aio-ignition',
      '--dir',
      dir,
      '--log-level',
      'debug',
    ]);
    const { generatedValues } = JSON.parse(readFileSync(join(dir, '.sno-install-state.json'), 'utf8')) as {
      generatedValues: Record<string, string>;
    };
    const secrets = Object.entries(generatedValues).filter(([label]) => /^key\/|encryption-key/.test(label));
    expect(secrets.length).toBeGreaterThan(20);
    for (const [label, secret] of secrets) {
      const body = secret.split('\n')[3] ?? secret;
      expect(`${stdout}${stderr}`.includes(body), label).toBe(false);
    }
    expect(Object.entries(snapshot(dir)).map(([path, file]) => [path, file.slice(0, 3)])).toEqual([
      ['.sno-install-record.json', '600'],
      ['.sno-install-state.json', '600'],
      ['aio.ign', '600'],
      ['auth/kubeconfig', '600'],
      ['install-config.yaml', '644'],
      ['metadata.json', '644'],
      ['receipt.json', '644'],
    ]);
  });

  it('lists the files that the machine downloads, with hashes', async () => {
    const dir = site();
    await snoInProcess(['create', 'aio-ignition', '--dir', dir]);
    expect(fetchedBy(dir)).toEqual([
      ['/opt/cni-plugins.tgz', '600', publishedCniPlugins('amd64')],
      ['/usr/local/bin/kubectl', '755', publishedProgram('kubectl', '1.36.3', 'amd64')],
      ['/usr/local/bin/kubelet', '755', publishedProgram('kubelet', '1.36.3', 'amd64')],
    ]);
  });

  it('has an entry of aio.files take the place of a published program', async () => {
    const dir = site();
    const sha256 = 'a'.repeat(64);
    const url = 'https://files.example.com/kubelet';
    writeFileSync(
      join(dir, 'sno-config.yaml'),
      snoConfigText(`aio: { files: [{ path: /opt/bin/kubelet, url: "${url}", sha256: ${sha256} }] }\n`),
    );
    await snoInProcess(['create', 'aio-ignition', '--dir', dir]);
    expect(fetchedBy(dir).map(([path]) => path)).toEqual([
      '/opt/bin/kubelet',
      '/opt/cni-plugins.tgz',
      '/usr/local/bin/kubectl',
    ]);
    expect(fetchedBy(dir)[0]).toEqual(['/opt/bin/kubelet', '755', { url, sha256 }]);
  });

  it('writes no files if the hash of a program is unknown', async () => {
    const dir = site();
    writeFileSync(
      join(dir, 'sno-config.yaml'),
      snoConfigText('controlPlane: { kubernetesVersion: 1.36.0 }\n'),
    );
    const before = snapshot(dir);
    const { code, stderr } = await snoInProcess(['create', 'aio-ignition', '--dir', dir]);
    expect([code, snapshot(dir)]).toEqual([1, before]);
    expect(stderr.match(/error\[aio\/missing-program\]/g)).toHaveLength(2);
    expect(stderr).toContain('or use kubernetesVersion 1.36.4, whose hashes are known');
    expect(stderr).toContain('2 errors; nothing was written');
  });
});

describe('create aio-ignition --offline-files', () => {
  const mirror = 'https://mirror.example.com/files';
  const published = [
    publishedProgram('kubelet', '1.36.3', 'amd64'),
    publishedProgram('kubectl', '1.36.3', 'amd64'),
    publishedCniPlugins('amd64'),
  ];
  const inMirror = published.map(({ url }) => url.replace('https://', `${mirror}/`)).toSorted();

  it.each([
    { name: 'a URL', args: ['--offline-files', mirror], text: '' },
    { name: 'a URL with a slash', args: ['--offline-files', `${mirror}/`], text: '' },
    { name: 'aio.mirror', args: [], text: `aio: { mirror: "${mirror}" }\n` },
    {
      name: 'a URL before aio.mirror',
      args: ['--offline-files', mirror],
      text: 'aio: { mirror: "https://other.example.com" }\n',
    },
  ])('has files fetched from the mirror of $name', async ({ args, text }) => {
    const dir = site();
    writeFileSync(join(dir, 'sno-config.yaml'), snoConfigText(text));
    const { code, stderr } = await snoInProcess(['create', 'aio-ignition', '--dir', dir, ...args]);
    expect([code, stderr]).toEqual([0, '']);
    expect(
      fetchedBy(dir)
        .map(([, , { url }]) => url)
        .toSorted(),
    ).toEqual(inMirror);
  });

  it('is an input: without it, the URLs of the projects are used again, with a warning', async () => {
    const dir = site();
    await snoInProcess(['create', 'aio-ignition', '--dir', dir, '--offline-files', mirror]);
    const { code, stderr } = await snoInProcess(['create', 'aio-ignition', '--dir', dir]);
    expect(code).toBe(0);
    expect(stderr).toContain('--offline-files was set in the last run but is not set now');
    expect(
      fetchedBy(dir)
        .map(([, , { url }]) => url)
        .toSorted(),
    ).toEqual(published.map(({ url }) => url).toSorted());
  });

  it.each([
    { name: 'plain http', given: 'http://mirror.example.com', want: 'is not an https URL of a folder' },
    { name: 'a password', given: 'https://me:word@mirror.example.com', want: '--offline-files "…" is not' },
    {
      name: 'a folder that nobody serves',
      given: '.',
      want: 'aio.mirror with its URL for the node is not set',
    },
  ])('refuses $name', async ({ given, want }) => {
    const dir = site();
    const before = snapshot(dir);
    const { code, stderr } = await snoInProcess([
      'create',
      'aio-ignition',
      '--dir',
      dir,
      '--offline-files',
      given,
    ]);
    expect([code, snapshot(dir)]).toEqual([1, before]);
    expect(stderr).toContain('error[aio/offline-files]');
    expect(stderr).toContain(want);
  });

  it('checks the hashes of a mirror, except for the entries of aio.files', async () => {
    const dir = site();
    const folder = join(dir, '..', 'copy');
    const kubectl = 'dl.k8s.io/v1.36.3/bin/linux/amd64/kubectl';
    mkdirSync(dirname(join(folder, kubectl)), { recursive: true });
    writeFileSync(join(folder, kubectl), 'something else\n');
    const own = `{ path: /opt/bin/kubelet, url: "${mirror}/kubelet", sha256: ${'a'.repeat(64)} }`;
    writeFileSync(
      join(dir, 'sno-config.yaml'),
      snoConfigText(`aio: { mirror: "${mirror}", files: [${own}] }\n`),
    );
    const { stderr } = await snoInProcess([
      'validate',
      '--target',
      'aio-ignition',
      '--dir',
      dir,
      '--offline-files',
      folder,
    ]);
    expect(stderr.split('\n').filter((line) => line.startsWith('error'))).toEqual([
      `error[aio/offline-files]: ${kubectl} in the folder of --offline-files does not match its SHA-256, so the node would reject it`,
      'error[aio/offline-files]: github.com/containernetworking/plugins/releases/download/v1.9.1/cni-plugins-linux-amd64-v1.9.1.tgz is missing in the folder of --offline-files',
    ]);
  });
});

describe('validate --target aio-ignition', () => {
  it('checks the fields of this target, and requires no disk', async () => {
    const dir = site();
    const before = snapshot(dir);
    expect(await snoInProcess(['validate', '--dir', dir, '--target', 'aio-ignition'])).toMatchObject({
      code: 0,
      stdout: 'no problems found\n',
      stderr: '',
    });
    expect(snapshot(dir)).toEqual(before);
    cpSync('fixtures/configs/aio-minimal', dir, { recursive: true });
    expect((await snoInProcess(['validate', '--dir', dir])).stderr).toContain(
      'error[config/bootstrap-in-place]',
    );
  });
});
