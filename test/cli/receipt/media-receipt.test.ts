import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it, test } from 'vitest';

import { parseJson } from '../../../src/formats/json.js';
import { sha256 } from '../../../src/formats/sha256.js';
import type { Receipt } from '../../../src/disk/receipt/receipt.js';
import { liveIso } from '../../media/support/live-iso.js';
import { packedIso, rootfs } from '../../media/support/miniso.js';
import { ageKeys } from '../../support/age-keys.js';
import { snapshot } from '../../support/command.js';
import { snoInProcess, type CommandOutput } from '../../support/in-process.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import { configs, keyedSite, type LaySite } from '../keyed-site.js';

const rootfsUrl = 'http://192.0.2.1/rhcos-live-rootfs.x86_64.img';
const downloaded = liveIso({}, 'rhcos-418.94.202501221327-0');

let laid: LaySite;
/** A folder with a site, a live ISO, a medium made from it, and PXE files. */
let made = '';
beforeAll(async () => {
  laid = await keyedSite();
  made = site();
  expect(await createIso(made, '--live-karg', 'nomodeset')).toMatchObject({ code: 0 });
  expect(await create('single-node-pxe', made, '--rootfs', rootfsUrl)).toMatchObject({ code: 0 });
});

function site(others: Readonly<Record<string, string | Uint8Array>> = {}): string {
  return laid({ 'live.iso': downloaded, ...others });
}

function copy(): string {
  const folder = scratchFolder();
  cpSync(made, folder, { recursive: true });
  return folder;
}

function create(what: string, folder: string, ...more: readonly string[]): Promise<CommandOutput> {
  return snoInProcess(['create', what, '--dir', folder, ...more]);
}

function createIso(folder: string, ...more: readonly string[]): Promise<CommandOutput> {
  return create('single-node-iso', folder, '--iso', join(folder, 'live.iso'), '--force', ...more);
}

function receiptIn(folder: string, name = 'single-node.iso.receipt.json'): Receipt {
  return parseJson(readFileSync(join(folder, name), 'utf8')) as Receipt;
}

const hashOf = (...path: readonly string[]): string => sha256(readFileSync(join(...path)));

interface Found {
  readonly problems: readonly { readonly code: string; readonly message: string }[];
  readonly receipts: readonly { readonly path: string; readonly ok: boolean; readonly liveIso?: object }[];
}

/** The exit code, then each problem as `code: message` with paths relative to the folder. */
async function wrongWith(folder: string, ...more: readonly string[]): Promise<readonly unknown[]> {
  const { code, stdout } = await snoInProcess(['verify', folder, ...more, '--output', 'json']);
  const { problems } = JSON.parse(stdout) as Found;
  return [code, ...problems.map((each) => `${each.code}: ${each.message.replaceAll(`${folder}/`, '')}`)];
}

describe('the receipt of a live ISO', () => {
  it('names the image, the live ISO and the config by the hashes that sha256sum gives', () => {
    const { target, outputs, medium } = receiptIn(made);
    expect({ target, outputs, medium }).toEqual({
      target: 'single-node-iso',
      outputs: [
        {
          path: 'single-node.iso',
          bytes: downloaded.length,
          mode: '0600',
          sha256: hashOf(made, 'single-node.iso'),
        },
      ],
      medium: {
        config: {
          path: 'bootstrap-in-place-for-live-iso.ign',
          bytes: readFileSync(join(made, 'bootstrap-in-place-for-live-iso.ign')).length,
          sha256: hashOf(made, 'bootstrap-in-place-for-live-iso.ign'),
        },
        liveIso: {
          name: 'live.iso',
          path: 'live.iso',
          bytes: downloaded.length,
          sha256: sha256(downloaded),
          architecture: 'amd64',
          release: '4.18',
        },
        urls: {},
        kernelArguments: ['nomodeset'],
        keyHolder: { path: 'auth/kubeconfig', sha256: hashOf(made, 'auth/kubeconfig') },
      },
    });
  });

  it('has the inputs, the cluster and the time of issue that the receipt of the configs has', () => {
    const { target, outputs, medium, ...rest } = receiptIn(made);
    const { target: its, outputs: others, ...configsRest } = receiptIn(made, 'receipt.json');
    expect([target, its]).toEqual(['single-node-iso', 'single-node-ignition-config']);
    expect([outputs.length, others.length, medium === undefined]).toEqual([1, 5, false]);
    expect(rest).toEqual(configsRest);
  });

  it('is the same of the same inputs', async () => {
    const folder = copy();
    rmSync(join(folder, 'single-node.iso'));
    expect(await createIso(folder, '--live-karg', 'nomodeset')).toMatchObject({ code: 0 });
    expect(snapshot(folder)).toEqual(snapshot(made));
  });

  it('of an image that was changed in its place has the hashes before and after', async () => {
    const folder = site();
    expect(await createIso(folder, '--in-place')).toMatchObject({ code: 0 });
    const { outputs, medium } = receiptIn(folder, 'live.iso.receipt.json');
    expect(outputs).toMatchObject([{ path: 'live.iso', sha256: hashOf(folder, 'live.iso') }]);
    expect(medium?.liveIso).toMatchObject({ name: 'live.iso', sha256: sha256(downloaded) });
    expect(await wrongWith(folder)).toEqual([0]);
  });

  it('is stored next to the image, with input paths relative to it', async () => {
    const outer = scratchFolder();
    const folder = join(outer, 'site1');
    cpSync(made, folder, { recursive: true });
    expect(await createIso(folder, '--out', join(outer, 'site1.iso'))).toMatchObject({ code: 0 });
    const { inputs, inputFolders } = receiptIn(outer, 'site1.iso.receipt.json');
    expect(inputs[0]).toMatchObject({ path: 'site1/install-config.yaml', keyedBy: 'site1/auth/kubeconfig' });
    expect(inputFolders).toEqual(['site1/crds', 'site1/manifests', 'site1/openshift', 'site1/post-install']);
    expect(await wrongWith(outer)).toEqual([0]);
    writeFileSync(
      join(folder, 'install-config.yaml'),
      configs['install-config.yaml'].replace('site1', 'site2'),
    );
    expect(await wrongWith(outer)).toEqual([
      1,
      'receipt/input-changed: the input site1/install-config.yaml has changed: its contents differ',
    ]);
  });

  it('names inputs that do not lie below it, and looks for them never again', async () => {
    const [folder, outer] = [copy(), scratchFolder()];
    const { stdout } = await createIso(folder, '--out', join(outer, 'a.iso'), '--output', 'json');
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, receipt: join(outer, 'a.iso.receipt.json') });
    const { inputs, inputFolders, sources, medium } = receiptIn(outer, 'a.iso.receipt.json');
    expect({ inputs, inputFolders }).toEqual({ inputs: [], inputFolders: [] });
    expect(sources).toEqual([
      { name: 'install-config.yaml', bytes: configs['install-config.yaml'].length },
      {
        name: 'sno-config.yaml',
        bytes: configs['sno-config.yaml'].length,
        sha256: sha256(configs['sno-config.yaml']),
      },
    ]);
    expect(Object.keys(medium ?? {})).toEqual(['config', 'liveIso', 'urls', 'kernelArguments']);
    rmSync(folder, { recursive: true });
    expect(await wrongWith(outer)).toEqual([0]);
  });

  it('does not overwrite another file, and then no keys are generated', async () => {
    const folder = site({ 'single-node.iso.receipt.json': '{}\n' });
    const before = snapshot(folder);
    const { code, stderr } = await createIso(folder);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(
        'single-node.iso.receipt.json already exists and is not a receipt; it was not changed',
      ) as string,
    });
    expect(snapshot(folder)).toEqual(before);
  });

  it('of a minimal image has the whole live ISO for input and the root file system for output', async () => {
    const full = await packedIso();
    const folder = site({ 'live.iso': full.full });
    const url = 'http://192.0.2.1/rootfs.img';
    const more = ['--minimal', '--rootfs', url, '--rootfs-out', join(folder, 'rootfs.img')];
    expect(await createIso(folder, ...more)).toMatchObject({ code: 0 });
    const { outputs, medium } = receiptIn(folder);
    expect(medium).toMatchObject({ liveIso: { sha256: sha256(full.full) }, urls: { rootfs: url } });
    expect(outputs.map(({ path, mode, sha256: hash }) => [path, mode, hash])).toEqual([
      ['single-node.iso', '0600', hashOf(folder, 'single-node.iso')],
      ['rootfs.img', '0644', sha256(rootfs)],
    ]);
    expect(await wrongWith(folder)).toEqual([0]);
  });

  it('of encrypted outputs is compared with an identity, without their content', async () => {
    const { ours } = ageKeys;
    const folder = site({ 'ours.key': `${ours.identity}\n` });
    const [encrypted, opening] = [
      ['--recipient', ours.recipient, '--encrypt-outputs'],
      ['--identity', join(folder, 'ours.key')],
    ];
    expect(await createIso(folder, ...encrypted, ...opening)).toMatchObject({ code: 0 });
    expect(existsSync(join(folder, 'auth/kubeconfig'))).toBe(false);
    expect(receiptIn(folder).medium?.keyHolder?.path).toBe('auth/kubeconfig.age');
    expect(await wrongWith(folder, ...opening)).toEqual([0]);
    expect(await wrongWith(join(folder, 'single-node.iso.receipt.json'))).toEqual([
      0,
      'receipt/input-not-compared: the input install-config.yaml is not compared: its hash depends on auth/kubeconfig.age, which is encrypted',
    ]);
    expect(await create('single-node-ignition-config', folder, '--renew', ...opening)).toMatchObject({
      code: 0,
    });
    expect(await wrongWith(join(folder, 'single-node.iso.receipt.json'), ...opening)).toContain(stale);
  });
});

const stale =
  'receipt/input-changed: the medium contains a different Ignition config than bootstrap-in-place-for-live-iso.ign, which is newer';

/** A change of the folder, and everything that `verify` then reports. */
const changes: readonly {
  readonly name: string;
  readonly change: (folder: string) => unknown;
  readonly want: readonly unknown[];
}[] = [
  { name: 'nothing', change: () => undefined, want: [0] },
  {
    name: 'an image with another byte',
    change: (folder) => {
      const path = join(folder, 'single-node.iso');
      const bytes = readFileSync(path);
      bytes[40_000] = (bytes[40_000] ?? 0) ^ 1;
      writeFileSync(path, bytes);
    },
    want: [
      1,
      'receipt/output-changed: the output single-node.iso was changed after it was created: its contents differ',
    ],
  },
  {
    name: 'an image that was made from a damaged live ISO',
    change: (folder) => {
      const image = join(folder, 'single-node.iso');
      const bytes = readFileSync(image);
      const [before, kernel] = [sha256(bytes), bytes.indexOf('HdrS') - 0x202];
      bytes.fill(0, kernel, kernel + 4096);
      writeFileSync(image, bytes);
      const receipt = `${image}.receipt.json`;
      writeFileSync(receipt, readFileSync(receipt, 'utf8').replace(before, sha256(bytes)));
    },
    want: [1, 'media/damaged: the image is damaged: images/pxeboot/vmlinuz consists of zeros'],
  },
  {
    name: 'an image that is gone',
    change: (folder) => {
      rmSync(join(folder, 'single-node.iso'));
    },
    want: [1, 'receipt/output-missing: the output single-node.iso is missing'],
  },
  {
    name: 'a live ISO with a byte more',
    change: (folder) => {
      appendFileSync(join(folder, 'live.iso'), '\0');
    },
    want: [1, 'receipt/input-changed: the live ISO live.iso has changed'],
  },
  {
    name: 'a live ISO with another byte',
    change: (folder) => {
      writeFileSync(join(folder, 'live.iso'), Buffer.from(downloaded).fill(1, 50_000, 50_001));
    },
    want: [1, 'receipt/input-changed: the live ISO live.iso has changed'],
  },
  {
    name: 'a live ISO that is gone',
    change: (folder) => {
      rmSync(join(folder, 'live.iso'));
    },
    want: [0],
  },
  {
    name: 'a folder in the place of the live ISO',
    change: (folder) => {
      rmSync(join(folder, 'live.iso'));
      mkdirSync(join(folder, 'live.iso'));
    },
    want: [1, 'receipt/odd-file: live.iso is not compared: it is a folder'],
  },
  {
    name: 'another file for machines to load',
    change: (folder) => {
      writeFileSync(join(folder, 'pxe/other.img'), '');
    },
    want: [0, 'receipt/not-listed: pxe/other.img is in the output directory but not listed in the receipt'],
  },
  {
    name: 'a script that loads something else',
    change: (folder) => {
      appendFileSync(join(folder, 'pxe/single-node.ipxe'), '\n');
    },
    want: [
      1,
      expect.stringMatching(/^receipt\/output-changed: the output pxe\/single-node\.ipxe /) as unknown,
    ],
  },
];

describe('verify of a folder with media', () => {
  test.each(changes)('reports $name', async ({ change, want }) => {
    const folder = copy();
    change(folder);
    expect(await wrongWith(folder)).toEqual(want);
  });

  test('reports newer configs for each image', async () => {
    const folder = copy();
    expect(await create('single-node-ignition-config', folder, '--renew')).toMatchObject({ code: 0 });
    const found = await wrongWith(folder);
    expect(found.filter((each) => each === stale)).toHaveLength(2);
  });

  test('reports a live ISO that was not compared, and compares a given one', async () => {
    const [folder, elsewhere] = [copy(), scratchFolder()];
    const says = async (...more: readonly string[]): Promise<string> =>
      (await snoInProcess(['verify', join(folder, 'single-node.iso.receipt.json'), ...more])).stdout;
    expect(await says()).toContain('created from the live ISO live.iso (4.18, amd64), unchanged\n');
    const moved = join(elsewhere, 'moved.iso');
    renameSync(join(folder, 'live.iso'), moved);
    expect(await says()).toContain(
      'created from the live ISO live.iso (4.18, amd64), not compared (use --iso)\n',
    );
    expect(await says('--iso', moved)).toContain('unchanged\n');
    appendFileSync(moved, '\0');
    expect(await wrongWith(folder, '--iso', moved)).toEqual([
      1,
      `receipt/input-changed: ${moved} is not the live ISO from which the medium was created (live.iso)`,
    ]);
    rmSync(moved);
    expect(await wrongWith(folder, '--iso', moved)).toEqual([
      2,
      expect.stringMatching(/^usage\/unreadable-file: .*it does not exist/) as unknown,
    ]);
  });

  test('compares the named file, not the one that its receipt names', async () => {
    const folder = copy();
    const [iso, copied] = ['single-node.iso', 'c.iso'].map((name) => join(folder, name));
    if (iso === undefined || copied === undefined) throw new Error('unreachable');
    cpSync(iso, copied);
    cpSync(`${iso}.receipt.json`, `${copied}.receipt.json`);
    expect([await wrongWith(copied), await wrongWith(folder)]).toEqual([[0], [0]]);
    const bytes = readFileSync(copied);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    writeFileSync(copied, bytes);
    const changed =
      'receipt/output-changed: the output c.iso was changed after it was created: its contents differ';
    expect([await wrongWith(copied), await wrongWith(folder), await wrongWith(iso)]).toEqual([
      [1, changed],
      [1, changed],
      [0],
    ]);
    rmSync(copied);
    expect(await wrongWith(copied)).toEqual([1, 'receipt/output-missing: the output c.iso is missing']);
    for (const name of ['', '.receipt.json']) renameSync(`${iso}${name}`, `${copied}${name}`);
    expect([await wrongWith(copied), await wrongWith(`${copied}.receipt.json`)]).toEqual([[0], [0]]);
  });

  test('rejects --iso without an image in the receipt', async () => {
    expect(await wrongWith(join(made, 'pxe.receipt.json'), '--iso', join(made, 'live.iso'))).toEqual([
      2,
      'usage/unknown-argument: --iso is set, but no receipt is for a boot medium created from a live ISO',
    ]);
  });
});

describe('the receipt of a boot over the network', () => {
  it('lists overlay, scripts and URLs, is stored next to the folder, and stays the same', async () => {
    const folder = copy();
    const { target, outputs, medium } = receiptIn(folder, 'pxe.receipt.json');
    expect(target).toBe('single-node-pxe');
    expect(outputs.map(({ path, mode, sha256: hash }) => [path, mode, hash])).toEqual(
      [
        ['pxe/single-node-initrd.img', '0600'],
        ['pxe/single-node.ipxe', '0644'],
        ['pxe/single-node-grub.cfg', '0644'],
      ].map(([path = '', mode]) => [path, mode, hashOf(folder, path)]),
    );
    expect(medium).toMatchObject({
      urls: {
        rootfs: rootfsUrl,
        kernel: rootfsUrl.replace('rootfs.x86_64.img', 'kernel.x86_64'),
        initrd: rootfsUrl.replace('rootfs', 'initramfs'),
        overlay: 'http://192.0.2.1/single-node-initrd.img',
      },
    });
    expect(medium?.liveIso).toBeUndefined();
    expect(await create('single-node-pxe', folder, '--rootfs', rootfsUrl)).toMatchObject({ code: 0 });
    expect(snapshot(folder)).toEqual(snapshot(made));
  });
});

describeWith(['ssh-keygen'], 'the signature of a medium', () => {
  it('is written on request, is valid for ssh-keygen, and is kept and removed with the receipt', async () => {
    const folder = copy();
    const key = join(folder, 'key');
    spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', key]);
    const place = join(folder, 'pxe.receipt.json');
    const pxe = (...more: readonly string[]): Promise<CommandOutput> =>
      create('single-node-pxe', folder, '--rootfs', rootfsUrl, ...more);
    expect(await pxe('--sign-key', key)).toMatchObject({ code: 0 });
    const args = ['-Y', 'check-novalidate', '-n', 'sno-install-receipt', '-s', `${place}.sig`];
    expect(spawnSync('ssh-keygen', args, { input: readFileSync(place) }).status).toBe(0);

    const signature = readFileSync(`${place}.sig`, 'utf8');
    await pxe();
    expect(readFileSync(`${place}.sig`, 'utf8')).toBe(signature);
    expect(await wrongWith(place)).toEqual([0]);
    // Receipts hide the values that only the boot script contains.
    await pxe('--live-karg', 'proxy=http://user:throwaway@192.0.2.1', '--live-karg', 'mypass:hunter2pw');
    expect(existsSync(`${place}.sig`)).toBe(false);
    expect(receiptIn(folder, 'pxe.receipt.json').medium?.kernelArguments).toEqual(['proxy=…', '…']);
    expect(await wrongWith(place)).toEqual([0]);
  });
});
