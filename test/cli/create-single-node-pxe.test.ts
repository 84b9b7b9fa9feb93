import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { decodeDataUrl } from '../../src/formats/data-url.js';
import type { IgnitionConfig } from '../../src/ignition/types.js';
import { readOverlayConfig } from '../../src/media/single-node-pxe.js';
import { snapshot } from '../support/command.js';
import { snoInProcess, type CommandOutput } from '../support/in-process.js';
import { configs, keyedSite, type LaySite } from './keyed-site.js';

let site: LaySite;
beforeAll(async () => {
  site = await keyedSite();
});

/** The MachineConfig with the node's kernel arguments, as the live system gets it. */
function kernelArgumentsIn(folder: string): string | undefined {
  const text = readFileSync(join(folder, 'bootstrap-in-place-for-live-iso.ign'), 'utf8');
  const { storage } = JSON.parse(text) as IgnitionConfig;
  const name = '99_openshift-machineconfig_99-master-kernel-arguments.yaml';
  const file = storage?.files?.find(({ path }) => path.endsWith(`/${name}`));
  return decodeDataUrl(file?.contents?.source ?? '')?.toString();
}

const rootfs = 'http://192.0.2.1/rhcos-live-rootfs.x86_64.img';

async function create(cwd: string, ...more: readonly string[]): Promise<CommandOutput> {
  return await snoInProcess(['create', 'single-node-pxe', ...more], { cwd });
}

describe('create single-node-pxe', () => {
  test('a site with a payload gets a warning, and a note in its scripts', async () => {
    const folder = site();
    appendFileSync(join(folder, 'sno-config.yaml'), 'payload: { file: a.payload }\n');
    cpSync('fixtures/configs/payload/4.22.0-x86_64.payload.json', join(folder, 'a.payload.json'));
    cpSync('fixtures/configs/payload/manifests', join(folder, 'manifests'), { recursive: true });
    const given = ['--rootfs', 'http://192.0.2.1/rootfs.img', '--force'];
    const { code, stderr } = await create(folder, ...given);
    expect([code, stderr.split('\n')[0]]).toEqual([
      0,
      'warning[payload/not-on-medium]: the site installs from a.payload, which a network boot does not contain',
    ]);
    expect(readFileSync(join(folder, 'pxe/single-node.ipxe'), 'utf8')).toContain('\necho This site installs');
    expect(await create(folder, ...given, '--no-payload')).toMatchObject({ code: 0, stderr: '' });
  });

  test('writes configs and an overlay with mode 0600, and readable scripts', async () => {
    const folder = site();
    const { code, stdout, stderr } = await create(folder, '--rootfs', rootfs);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('http://192.0.2.1/single-node-initrd.img');
    expect(
      readdirSync(join(folder, 'pxe')).map((name) => [
        name,
        statSync(join(folder, 'pxe', name)).mode & 0o777,
      ]),
    ).toEqual([
      ['single-node-grub.cfg', 0o644],
      ['single-node-initrd.img', 0o600],
      ['single-node.ipxe', 0o644],
    ]);
    const config = await readOverlayConfig(readFileSync(join(folder, 'pxe/single-node-initrd.img')));
    expect(config?.equals(readFileSync(join(folder, 'bootstrap-in-place-for-live-iso.ign')))).toBe(true);
  });

  test('goes on from where a run died that had put half of its files in place', async () => {
    const folder = site();
    const config = ['create', 'single-node-ignition-config', '--renew'];
    await snoInProcess(config, { cwd: folder, variables: { SOURCE_DATE_EPOCH: '1770000000' } });
    const whole = `${folder}-whole`;
    cpSync(folder, whole, { recursive: true });
    await snoInProcess(config, { cwd: whole, variables: { SOURCE_DATE_EPOCH: '1780000000' } });
    const paths = ['.sno-install-state.json', 'auth/kubeconfig', 'worker.ign', 'receipt.json'];
    const steps = paths.map((path, index) => ({ path, staged: String(index) }));
    const pending = join(folder, '.sno-install-pending');
    mkdirSync(pending, { mode: 0o700 });
    for (const { path, staged } of steps) cpSync(join(whole, path), join(pending, staged));
    for (const path of paths.slice(1, 3)) cpSync(join(whole, path), join(folder, path));
    writeFileSync(join(pending, 'plan.json'), JSON.stringify(steps), { mode: 0o600 });
    for (const name of ['metadata.json', 'bootstrap-in-place-for-live-iso.ign'])
      cpSync(join(whole, name), join(folder, name));
    rmSync(whole, { recursive: true });

    expect(await create(folder, '--rootfs', rootfs)).toMatchObject({ code: 0 });
    expect(existsSync(pending)).toBe(false);
  });

  test('writes the same files again, and removes outdated scripts', async () => {
    const folder = site();
    await create(folder, '--rootfs', rootfs, '--out', 'web');
    const before = snapshot(folder);
    await create(folder, '--rootfs', rootfs, '--out', 'web');
    expect(snapshot(folder)).toEqual(before);

    const { code, stdout } = await create(
      folder,
      '--rootfs',
      rootfs.replace('http', 'https'),
      '--out',
      'web',
    );
    expect(code).toBe(0);
    expect(stdout).toContain('No GRUB entry was written');
    expect(existsSync(join(folder, 'web/single-node-grub.cfg'))).toBe(false);
  });

  test('gives the node its arguments as sno-config.yaml would, and the live system its own', async () => {
    const [folder, other] = [site(), site()];
    const { code } = await create(
      folder,
      ...['--rootfs', rootfs, '--dest-karg', 'nosmt', '--console', 'ttyS0,115200n8', '--live-karg', 'a=b'],
    );
    expect(code).toBe(0);
    expect(readFileSync(join(folder, 'pxe/single-node.ipxe'), 'utf8')).toContain(
      ' a=b console=ttyS0,115200n8\n',
    );
    writeFileSync(
      join(other, 'sno-config.yaml'),
      `${configs['sno-config.yaml']}kernelArguments: [nosmt, "console=ttyS0,115200n8"]\n`,
    );
    expect((await create(other, '--rootfs', rootfs)).code).toBe(0);
    expect(kernelArgumentsIn(folder)).toContain('- nosmt\n    - console=ttyS0,115200n8\n');
    expect(kernelArgumentsIn(folder)).toBe(kernelArgumentsIn(other));
  });

  test('warns when the node would lose its arguments, in commands that write its config', async () => {
    const folder = site();
    await create(folder, '--rootfs', rootfs, '--console', 'ttyS0');
    const check = await snoInProcess(['validate', folder]);
    expect(check).toEqual({ code: 0, stdout: 'no problems found\n', stderr: '' });
    const { code, stderr } = await snoInProcess(['create', 'ignition', folder]);
    expect([code, stderr]).toEqual([
      0,
      'warning[usage/environment-changed]: --dest-karg or --console was set in the last run but is not set now\n' +
        '   = hint: set --dest-karg or --console again to get the same outputs\n',
    ]);
  });

  test('reports all problems together, and generates no keys', async () => {
    const folder = site();
    const before = snapshot(folder);
    const { code, stderr } = await create(
      folder,
      ...['--rootfs', 'rootfs.img', '--dest-karg', 'a b', '--console', 'screen'],
    );
    expect(code).toBe(1);
    expect(stderr.match(/error\[.*/g)).toEqual([
      'error[media/kernel-arguments]: --dest-karg: kernel argument "a b" contains a space',
      'error[media/kernel-arguments]: "screen" is not a valid console',
      'error[media/pxe-source]: --rootfs is not a URL',
    ]);
    expect(snapshot(folder)).toEqual(before);
    expect((await create(folder)).code).toBe(2);
  });
});
