import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it, test } from 'vitest';

import { parseJson } from '../../../src/formats/json.js';
import { sha256 } from '../../../src/formats/sha256.js';
import { serializeReceipt, type Receipt } from '../../../src/disk/receipt/receipt.js';
import { snapshot } from '../../support/command.js';
import { snoInProcess } from '../../support/in-process.js';
import { minimalInstallConfig, snoConfigText } from '../../support/minimal-config.js';
import { scratchFolder } from '../../support/scratch.js';

const secretManifest =
  'apiVersion: v1\nkind: Secret\nmetadata: {name: pin, namespace: default}\nstringData: {pin: "1234"}\n';
/** ECDSA keys, which are generated in milliseconds. */
const snoConfig = snoConfigText('hostname: sno1\ncertificates: {keyAlgorithm: ECDSA-P256}\n');

/** The folder after `create`; made once. */
let made = '';
beforeAll(async () => {
  made = scratchFolder();
  mkdirSync(join(made, 'openshift'));
  writeFileSync(join(made, 'install-config.yaml'), minimalInstallConfig);
  writeFileSync(join(made, 'sno-config.yaml'), snoConfig);
  writeFileSync(join(made, 'openshift/50-pin.yaml'), secretManifest);
  const { code, stderr } = await snoInProcess(['create', 'single-node-ignition-config', '--dir', made]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
});

function copy(): string {
  const folder = scratchFolder();
  cpSync(made, folder, { recursive: true });
  return folder;
}

interface Found {
  readonly ok: boolean;
  readonly problems: readonly { readonly code: string; readonly message: string; readonly at?: object }[];
  readonly receipts: readonly Readonly<Record<string, unknown>>[];
}

async function verify(...named: readonly string[]): Promise<Found & { readonly code: number }> {
  const { code, stdout } = await snoInProcess(['verify', ...named, '--output', 'json']);
  return { code, ...(JSON.parse(stdout) as Found) };
}

/** Each problem as `code: message`. */
async function wrongWith(folder: string): Promise<readonly string[]> {
  const { problems } = await verify(folder);
  return problems.map(({ code, message }) => `${code}: ${message}`);
}

function receiptIn(folder: string): Receipt {
  return parseJson(readFileSync(join(folder, 'receipt.json'), 'utf8')) as Receipt;
}

describe('a receipt', () => {
  it('names inputs and outputs with the hashes that sha256sum gives', () => {
    const { inputs, outputs, inputFolders } = receiptIn(made);
    const of = (path: string): string => sha256(readFileSync(join(made, path)));
    expect(outputs.map(({ path }) => path)).toEqual([
      'bootstrap-in-place-for-live-iso.ign',
      'worker.ign',
      'auth/kubeconfig',
      'auth/kubeadmin-password',
      'metadata.json',
    ]);
    for (const { path, sha256: hash } of outputs) expect({ path, hash }).toEqual({ path, hash: of(path) });
    expect(inputs.filter((input) => !('absent' in input))).toMatchObject([
      { path: 'install-config.yaml', keyedBy: 'auth/kubeconfig' },
      { path: 'openshift/50-pin.yaml', keyedBy: 'auth/kubeconfig' },
      { path: 'sno-config.yaml', sha256: of('sno-config.yaml') },
    ]);
    expect(inputFolders).toEqual(['crds', 'manifests', 'openshift', 'post-install']);
  });

  it('contains no plain hash of a file with a short secret', () => {
    const text = readFileSync(join(made, 'receipt.json'), 'utf8');
    for (const path of ['install-config.yaml', 'openshift/50-pin.yaml'])
      expect(text).not.toContain(sha256(readFileSync(join(made, path))));
  });

  it('lists external files, and does not search for them', async () => {
    const outer = scratchFolder();
    const folder = join(outer, 'site');
    cpSync(made, folder, { recursive: true });
    for (const path of ['auth', 'receipt.json', '.sno-install-state.json'])
      rmSync(join(folder, path), { recursive: true });
    for (const path of ['worker.ign', 'metadata.json', 'bootstrap-in-place-for-live-iso.ign'])
      rmSync(join(folder, path));
    const [pullSecretLine = ''] = /^pullSecret:.*\n/m.exec(minimalInstallConfig) ?? [];
    const [, pullSecret = ''] = /'(.*)'/.exec(pullSecretLine) ?? [];
    writeFileSync(join(folder, 'install-config.yaml'), minimalInstallConfig.replace(pullSecretLine, ''));
    const more = 'pullSecretFile: env:PULL_SECRET\nextraManifests: [../extra.yaml]\n';
    writeFileSync(join(folder, 'sno-config.yaml'), `${snoConfig}${more}`);
    writeFileSync(
      join(outer, 'extra.yaml'),
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default}\n',
    );
    const { code, stderr } = await snoInProcess(['create', 'single-node-ignition-config', '--dir', folder], {
      variables: { PULL_SECRET: pullSecret },
    });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const hash = sha256(readFileSync(join(outer, 'extra.yaml')));
    expect(receiptIn(folder).sources).toEqual([
      { name: 'env:PULL_SECRET', bytes: pullSecret.length },
      { name: 'extra.yaml', bytes: 71, sha256: hash },
    ]);
    rmSync(join(outer, 'extra.yaml'));
    expect(await wrongWith(folder)).toEqual([]);
  });

  it('contains the cluster of metadata.json', () => {
    const metadata = parseJson(readFileSync(join(made, 'metadata.json'), 'utf8')) as Record<string, string>;
    expect(receiptIn(made).cluster).toEqual({
      name: 'site1',
      baseDomain: 'example.com',
      clusterID: metadata['clusterID'],
      infraID: metadata['infraID'],
    });
  });

  it('is the same for the same inputs, and a second run changes no file', async () => {
    const [folder, again] = [copy(), copy()];
    rmSync(join(again, 'receipt.json'));
    for (const dir of [folder, again])
      expect((await snoInProcess(['create', 'single-node-ignition-config', '--dir', dir])).code).toBe(0);
    expect(snapshot(folder)).toEqual(snapshot(made));
    expect(readFileSync(join(again, 'receipt.json'))).toEqual(readFileSync(join(made, 'receipt.json')));
  });

  it('stays if another target would overwrite it', async () => {
    const folder = copy();
    const { code, stderr } = await snoInProcess(['create', 'aio-ignition', '--dir', folder]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('error[dir/kubeconfig-replaced]')]);
    expect(snapshot(folder)).toEqual(snapshot(made));
  });

  it('does not overwrite the file of another program', async () => {
    const folder = copy();
    appendFileSync(join(folder, 'receipt.json'), '\n');
    const { code, stderr } = await snoInProcess(['create', 'single-node-ignition-config', '--dir', folder]);
    expect(code).toBe(1);
    expect(stderr).toContain('error[dir/output-edited]: receipt.json was edited after it was written');
  });

  it('has an answer to why', async () => {
    const { stdout } = await snoInProcess(['why', 'receipt.json', '--dir', made]);
    expect(stdout).toMatch(/^receipt.json\n {2}asset: receipt\n {2}inputs of receipt:\n/);
    expect(stdout).toContain('file openshift/50-pin.yaml\n');
  });
});

describe('verify succeeds', () => {
  test('as create left it', async () => {
    expect(await verify(made)).toMatchObject({
      code: 0,
      ok: true,
      problems: [],
      receipts: [
        {
          ok: true,
          target: 'single-node-ignition-config',
          inputs: ['install-config.yaml', 'openshift/50-pin.yaml', 'sno-config.yaml'],
        },
      ],
    });
    const { stdout } = await snoInProcess(['verify', '--dir', made]);
    expect(stdout).toContain('receipt.json: 5 outputs of 3 inputs, unchanged (site1.example.com, ');
  });

  test('in another place, without state', async () => {
    const folder = copy();
    rmSync(join(folder, '.sno-install-state.json'));
    expect(await wrongWith(folder)).toEqual([]);
  });

  test('if only the outputs were copied, and reports the missing comparison', async () => {
    const folder = copy();
    for (const path of ['install-config.yaml', 'sno-config.yaml', 'openshift'])
      rmSync(join(folder, path), { recursive: true });
    expect(await verify(folder)).toMatchObject({ code: 0, ok: true });
    expect(await wrongWith(folder)).toEqual([
      'receipt/input-not-compared: inputs were not compared because none exists: install-config.yaml, openshift/50-pin.yaml, sno-config.yaml',
    ]);
  });
});

/** A change of the folder, and everything that `verify` then reports. */
const changes: readonly { name: string; change: (folder: string) => void; want: readonly string[] }[] = [
  {
    name: 'an output with a byte more',
    change: (folder) => {
      appendFileSync(join(folder, 'worker.ign'), '\n');
    },
    want: [
      expect.stringMatching(
        /^receipt\/output-changed: the output worker.ign was changed after it was created: it has \d+ bytes instead of \d+$/,
      ) as string,
    ],
  },
  {
    name: 'an output with another byte',
    change: (folder) => {
      const path = join(folder, 'metadata.json');
      writeFileSync(path, readFileSync(path, 'utf8').replace('site1', 'site2'));
    },
    want: [
      'receipt/output-changed: the output metadata.json was changed after it was created: its contents differ',
    ],
  },
  {
    name: 'an output that is gone',
    change: (folder) => {
      rmSync(join(folder, 'auth/kubeadmin-password'));
    },
    want: ['receipt/output-missing: the output auth/kubeadmin-password is missing'],
  },
  {
    name: 'modes as Git leaves them',
    change: (folder) => {
      chmodSync(join(folder, 'worker.ign'), 0o644);
    },
    want: ['receipt/exposed: the output worker.ign has mode 0644instead of 0600'],
  },
  {
    name: 'files beside the outputs',
    change: (folder) => {
      for (const name of ['other.ign', 'auth/other', 'notes.txt']) writeFileSync(join(folder, name), '');
    },
    want: [
      'receipt/not-listed: other.ign is in the output directory but not listed in the receipt',
      'receipt/not-listed: auth/other is in the output directory but not listed in the receipt',
    ],
  },
  {
    name: 'an input with other bytes, by its keyed hash',
    change: (folder) => {
      writeFileSync(join(folder, 'openshift/50-pin.yaml'), secretManifest.replace('1234', '1235'));
    },
    want: ['receipt/input-changed: the input openshift/50-pin.yaml has changed: its contents differ'],
  },
  {
    name: 'an input with other bytes, by its plain hash',
    change: (folder) => {
      writeFileSync(join(folder, 'sno-config.yaml'), snoConfig.replace('sno1', 'sno2'));
    },
    want: ['receipt/input-changed: the input sno-config.yaml has changed: its contents differ'],
  },
  {
    name: 'an input that is gone',
    change: (folder) => {
      rmSync(join(folder, 'sno-config.yaml'));
    },
    want: ['receipt/input-changed: the input sno-config.yaml no longer exists'],
  },
  {
    name: 'inputs that are new',
    change: (folder) => {
      mkdirSync(join(folder, 'tls'));
      mkdirSync(join(folder, 'manifests'));
      for (const path of [
        'tls/kubeadmin-password',
        'manifests/a.yaml',
        'manifests/b.json',
        'manifests/c.txt',
      ])
        writeFileSync(join(folder, path), 'a');
    },
    want: [
      'receipt/input-changed: the input tls/kubeadmin-password has changed: it did not exist',
      'receipt/input-changed: manifests/a.yaml, manifests/b.json are there since, and were no input',
    ],
  },
  {
    name: 'a changed key of keyed hashes',
    change: (folder) => {
      appendFileSync(join(folder, 'auth/kubeconfig'), '\n');
    },
    want: [
      expect.stringMatching(/^receipt\/output-changed: the output auth\/kubeconfig /) as string,
      ...['install-config.yaml', 'openshift/50-pin.yaml'].map(
        (path) =>
          `receipt/input-not-compared: the input ${path} is not compared: its hash depends on auth/kubeconfig, which is missing or has changed`,
      ),
    ],
  },
  {
    name: 'another version',
    change: (folder) => {
      const receipt = receiptIn(folder);
      const text = serializeReceipt({ ...receipt, program: { version: '0.0.1' } });
      writeFileSync(join(folder, 'receipt.json'), text);
    },
    want: ['receipt/other-program: the outputs were created by a version of sno-install other than 0.1.0'],
  },
  {
    name: 'a file that links elsewhere',
    change: (folder) => {
      rmSync(join(folder, 'metadata.json'));
      symlinkSync('/etc/hostname', join(folder, 'metadata.json'));
    },
    want: ['receipt/odd-file: metadata.json is not compared: it is a symbolic link'],
  },
  {
    name: 'a folder that links elsewhere',
    change: (folder) => {
      const elsewhere = scratchFolder();
      renameSync(join(folder, 'auth'), join(elsewhere, 'auth'));
      symlinkSync(join(elsewhere, 'auth'), join(folder, 'auth'));
    },
    want: [
      ...['kubeconfig', 'kubeadmin-password'].map(
        (name) =>
          `receipt/odd-file: auth/${name} is not compared: auth is a symbolic link to a place outside the directory`,
      ),
      ...['install-config.yaml', 'openshift/50-pin.yaml'].map(
        (path) =>
          `receipt/input-not-compared: the input ${path} is not compared: its hash depends on auth/kubeconfig, which is missing or has changed`,
      ),
    ],
  },
  {
    name: 'something that has no end',
    change: (folder) => {
      rmSync(join(folder, 'metadata.json'));
      spawnSync('mkfifo', [join(folder, 'metadata.json')]);
    },
    want: ['receipt/odd-file: metadata.json is not compared: it is not a regular file'],
  },
  {
    name: 'a file of terabytes that the receipt says is right',
    change: (folder) => {
      const bytes = 2 ** 42;
      truncateSync(join(folder, 'metadata.json'), bytes);
      const receipt = receiptIn(folder);
      const outputs = receipt.outputs.map((each) =>
        each.path === 'metadata.json' ? { ...each, bytes } : each,
      );
      writeFileSync(join(folder, 'receipt.json'), serializeReceipt({ ...receipt, outputs }));
    },
    want: ['receipt/odd-file: metadata.json is not compared: it is larger than 137438953472 bytes'],
  },
];

describe('verify reports differences', () => {
  it.each(changes)('$name', async ({ change, want }) => {
    const folder = copy();
    change(folder);
    expect(await wrongWith(folder)).toEqual(want);
  });

  it('at its line in the receipt, with exit code 1', async () => {
    const folder = copy();
    appendFileSync(join(folder, 'worker.ign'), '\n');
    const lines = readFileSync(join(folder, 'receipt.json'), 'utf8').split('\n');
    const line = lines.findIndex((each) => each.includes('"worker.ign"')) + 1;
    expect(await verify(folder)).toMatchObject({ code: 1, ok: false, problems: [{ at: { line } }] });
  });

  it('of each of several receipts', async () => {
    const folder = copy();
    rmSync(join(folder, 'metadata.json'));
    const { code, receipts } = await verify(made, join(folder, 'receipt.json'));
    expect({ code, ok: receipts.map(({ ok }) => ok) }).toEqual({ code: 1, ok: [true, false] });
  });

  it('of a folder without a receipt', async () => {
    const folder = scratchFolder();
    expect(await wrongWith(folder)).toEqual([`receipt/none: ${folder} has no receipt.json`]);
  });
});

/** Manipulated receipts, and why each is rejected. */
const prepared: readonly { name: string; edit: (text: string) => string; want: string | RegExp }[] = [
  { name: 'no JSON', edit: (text) => text.slice(1), want: 'it is not JSON' },
  { name: 'bytes that are no UTF-8', edit: () => '\ufffd', want: 'it is not JSON' },
  {
    name: 'another kind',
    edit: (text) => text.replace('"Receipt"', '"Recipe"'),
    want: 'expected "Receipt" at kind',
  },
  {
    name: 'a field twice',
    edit: (text) => text.replace('"target"', '"target": "aio-ignition",\n  "target"'),
    want: 'it is not in the format of sno-install',
  },
  {
    name: 'a field that nobody knows',
    edit: (text) => text.replace('"target"', '"note": "a",\n  "target"'),
    want: 'it is not in the format of sno-install',
  },
  { name: 'formatted anew', edit: (text) => JSON.stringify(JSON.parse(text)), want: /not in the format/ },
  ...['/etc/passwd', '../outside', 'auth/../../outside', 'auth//kubeconfig', '', 'a\\\\b', 'a\\u0000'].map(
    (path) => ({
      name: `the path ${path}`,
      edit: (text: string) => text.replace('"worker.ign"', `"${path}"`),
      want: 'expected a path below the folder of the receipt at outputs[1].path',
    }),
  ),
  {
    name: 'a key outside',
    edit: (text) => text.replace('"keyedBy": "auth/kubeconfig"', '"keyedBy": "/etc/shadow"'),
    want: 'expected a path below the folder of the receipt at inputs[0].keyedBy',
  },
  {
    name: 'a folder outside',
    edit: (text) => text.replace('"openshift",\n', '"/etc",\n'),
    want: 'expected a path below the folder of the receipt at inputFolders[2]',
  },
  {
    name: 'a size that is none',
    edit: (text) => text.replace(/"bytes": \d+/, '"bytes": -1'),
    want: 'expected a whole number at inputs[0].bytes',
  },
  {
    name: 'a name that is a secret',
    edit: (text) => text.replace('"site1"', '"AGE-SECRET-KEY-1QQQQQQQQQQ"'),
    want: 'expected a short text that is not a secret at cluster.name',
  },
];

describe('verify rejects invalid receipts', () => {
  it('before it reads it, where it is larger than any is', async () => {
    const path = join(scratchFolder(), 'receipt.json');
    writeFileSync(path, ' '.repeat(1024 * 1024 + 1));
    expect(await verify(path)).toMatchObject({
      code: 2,
      problems: [
        {
          code: 'usage/unreadable-file',
          message: `the receipt ${path} cannot be read: it is larger than 1048576 bytes`,
        },
      ],
    });
  });

  it.each(prepared)('$name', async ({ edit, want }) => {
    const folder = copy();
    const path = join(folder, 'receipt.json');
    writeFileSync(path, edit(readFileSync(path, 'utf8')));
    const { code, problems, receipts } = await verify(folder);
    const why = expect.stringContaining('the receipt cannot be used: ') as string;
    expect({ code, problems, receipts }).toMatchObject({
      code: 1,
      problems: [{ code: 'receipt/unreadable', message: why }],
      receipts: [],
    });
    expect(problems[0]?.message).toMatch(want);
  });
});
