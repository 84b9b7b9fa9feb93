import { cpSync, lstatSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, it } from 'vitest';

import { liveIso } from '../media/support/live-iso.js';
import { snoInProcess } from '../support/in-process.js';
import { liveRoot } from '../support/live-root.js';
import { copyWithOdd, notFolders, oddCases, type OddRow, oddKinds } from '../support/odd-files.js';
import { scratchFolder } from '../support/scratch.js';
import { scaledMs } from '../support/time-scale.js';
import { keyedSite } from './keyed-site.js';

const config = 'bootstrap-in-place-for-live-iso.ign';
const iso = ['create', 'single-node-iso', '--iso', 'live.iso', '--out', 'out.iso'];
const pxe = [
  ...['create', 'single-node-pxe', '--out', 'web'],
  ...['--rootfs', 'http://192.0.2.1/rhcos-live-rootfs.x86_64.img'],
];
const enrich = ['enrich', '--asset-dir', 'assets', '--input', 'master.ign', '--out', 'node.ign'];
const serve = ['serve', '.', '--iso', 'live.iso', '--listen', '127.0.0.1:8443'];
const certs = ['certs', '--dir', '.'];
const validate = ['validate'];

/** A site with its configs, an ISO and files for PXE. */
let prepared = '';
beforeAll(async () => {
  prepared = (await keyedSite())({ 'live.iso': liveIso() });
  const { root } = liveRoot();
  cpSync(root, join(prepared, 'assets'), { recursive: true, dereference: true });
  cpSync(join(root, 'opt/openshift/original-master.ign'), join(prepared, 'master.ign'));
  for (const args of [['create', 'single-node-ignition-config'], pxe])
    expect(await snoInProcess(args, { cwd: prepared })).toMatchObject({ code: 0 });
});

interface Row extends OddRow {
  /** Only a warning is printed. */
  readonly isWarning?: boolean;
}

const rows: readonly Row[] = [
  ...['live.iso', 'out.iso', 'out.iso.receipt.json', config].map((path) => ({ path, args: iso })),
  { path: 'out.iso', args: [...iso, '--overwrite'] },
  { path: 'live.iso', args: ['create', 'single-node-iso', '--iso', 'live.iso', '--in-place'] },
  { path: 'web', args: pxe, only: notFolders },
  // A link to a device is replaced, as any link in the place of an output.
  ...['single-node.ipxe', 'single-node-grub.cfg', 'single-node-initrd.img'].map((name) => ({
    path: `web/${name}`,
    args: pxe,
    only: ['a folder', 'a FIFO', 'a dangling link'],
  })),
  { path: 'master.ign', args: enrich },
  { path: 'node.ign', args: enrich },
  ...['live.iso', '.sno-install-serve.json', '.sno-install-serve.json.used'].map((path) => ({
    path,
    args: serve,
  })),
  { path: 'receipt.json', args: ['verify'] },
  { path: config, args: ['inspect', config], only: notFolders },
  { path: 'manifests', args: validate, only: notFolders },
  { path: 'openshift', args: validate, only: notFolders },
  { path: 'post-install', args: validate, only: notFolders },
  { path: 'crds', args: validate, only: notFolders },
  ...['auth/kubeconfig', 'worker.ign', config].map((path) => ({ path, args: certs, isWarning: true })),
  { path: 'auth', args: certs, only: notFolders, isWarning: true },
];

const cases = oddCases(rows);

it.each(cases)(
  '$command reports $kind as $path and keeps it',
  { timeout: scaledMs(20_000) },
  async ({ path, args, kind, isWarning = false }) => {
    const { dir, odd } = copyWithOdd(prepared, { path, kind });
    const before = lstatSync(odd);

    const { code, stderr } = await snoInProcess(args, { cwd: dir });

    expect(isWarning ? [0] : [1, 2, 3], stderr).toContain(code);
    const reported = stderr
      .split('\n\n')
      .filter((each) => /^(?:error|warning)\[/m.test(each) && each.includes(path.split('/').at(-1) ?? ''));
    expect(
      reported.filter((each) => /^ +(?:= )?hint: /m.test(each)),
      stderr,
    ).not.toEqual([]);
    expect(lstatSync(odd, { throwIfNoEntry: false })?.ino).toBe(before.ino);
  },
);

const drafts = ['web/.single-node.ipxe.new', '.node.ign.new'];
it.each(drafts.flatMap((path) => notFolders.map((kind) => ({ path, kind }))))(
  'replaces $kind as draft $path',
  { timeout: scaledMs(20_000) },
  async ({ path, kind }) => {
    const dir = join(scratchFolder(), 'site');
    cpSync(prepared, dir, { recursive: true });
    oddKinds[kind]?.(join(dir, path));

    expect(await snoInProcess(path.startsWith('web') ? pxe : enrich, { cwd: dir })).toMatchObject({
      code: 0,
    });
  },
);
