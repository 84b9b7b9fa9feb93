import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { beforeAll, expect, it } from 'vitest';

import { fleetFolder } from '../../fleet/files.js';
import { liveFiles, liveIso } from '../../media/support/live-iso.js';
import { ageKeys } from '../../support/age-keys.js';
import { sno } from '../../support/command.js';
import { imageBuildTimeoutMs } from '../../support/image-archive.js';
import { freePort } from '../../support/ports.js';
import { describeWith } from '../../support/programs.js';
import { readTree } from '../../support/read-tree.js';
import { scratchFolder } from '../../support/scratch.js';
import type { Exit } from '../../support/started-command.js';
import { startedInWine, wineFolder, type RunningInWine } from './windows-program.js';
import { scaledMs } from '../../support/time-scale.js';

const state = '.sno-install-state.json';
const singleNode = ['create', 'single-node-ignition-config', '--dir', 'site'];

describeWith(['mmdebstrap', 'unshare'], 'the executable file for Windows, in Wine', () => {
  let wine = '';
  let made = '';

  beforeAll(async () => {
    made = scratchFolder();
    const { status, stderr } = spawnSync(
      process.execPath,
      ['scripts/single-file.mjs', 'windows-x64', '--out', made],
      { encoding: 'utf8' },
    );
    expect(status, stderr).toBe(0);
    wine = await wineFolder();
  }, imageBuildTimeoutMs);

  /** A folder with only the program and a site. */
  function laid(example = 'minimal'): string {
    const folder = scratchFolder();
    cpSync(join(made, 'sno-install-windows-x64.exe'), join(folder, 'sno-install.exe'));
    cpSync(join('fixtures/configs', example), join(folder, 'site'), { recursive: true });
    return folder;
  }

  function started(folder: string, ...args: readonly string[]): RunningInWine {
    return startedInWine(wine, folder, 'sno-install.exe', args);
  }

  async function run(folder: string, ...args: readonly string[]): Promise<Exit> {
    return started(folder, ...args).exited;
  }

  it.each([
    ['minimal', 'single-node-ignition-config'],
    ['static-network', 'single-node-ignition-config'],
    ['aio-minimal', 'aio-ignition'],
  ])('makes of %s the bytes that Linux makes by the same keys', async (example, target) => {
    const folder = laid(example);
    const create = ['create', target, '--dir', 'site'];
    expect(await run(folder, ...create)).toMatchObject({ code: 0 });
    const here = join(folder, 'linux');
    cpSync(join('fixtures/configs', example), here, { recursive: true });
    const keys = join(folder, 'site', state);
    expect(sno(['create', target, '--dir', here, '--state', keys])).toMatchObject({ code: 0 });
    expect(outputs(join(folder, 'site'))).toEqual(outputs(here));

    const again = await run(folder, ...create, '--output', 'json');
    expect(again.code).toBe(0);
    expect(again.stdout).toContain('"unchanged"');
    expect(again.stdout).not.toContain('"written"');
  });

  it('makes the ISO that Linux makes', async () => {
    const folder = laid();
    writeFileSync(join(folder, 'live.iso'), liveIso(liveFiles));
    const create = ['create', 'single-node-iso', '--dir', 'site', '--iso', 'live.iso', '--out'];
    expect(await run(folder, ...create, 'windows.iso')).toMatchObject({ code: 0 });
    expect(sno([...create, 'linux.iso'], { cwd: folder })).toMatchObject({ code: 0 });
    expect(sumOf(join(folder, 'windows.iso'))).toBe(sumOf(join(folder, 'linux.iso')));
  });

  it('makes a fleet in threads, and serves its media', async () => {
    const folder = laid();
    cpSync(fleetFolder(), join(folder, 'fleet'), { recursive: true });
    writeFileSync(join(folder, 'live.iso'), liveIso(liveFiles));
    const fleet = await run(folder, 'fleet', 'create', '--dir', 'fleet', '--jobs', '2');
    expect(fleet.code, fleet.stderr).toBe(0);
    expect(sno(['fleet', 'status', '--dir', 'fleet'], { cwd: folder })).toMatchObject({ code: 0 });

    const address = `127.0.0.1:${(await freePort()).toString()}`;
    const serve = ['serve', '--fleet', 'fleet', '--iso', 'live.iso', '--http', '--url', `http://${address}`];
    const urls = await run(folder, ...serve, '--print-urls');
    const [url = ''] = /http:\S+\.iso/.exec(urls.stdout) ?? [];
    const serving = started(folder, ...serve, '--listen', address);
    await expect.poll(serving.said, { timeout: scaledMs(60_000) }).toContain('Serving 2 sites');
    const answer = await fetch(url);
    const image = Buffer.from(await answer.arrayBuffer());
    serving.kill();
    await serving.exited;
    expect(answer.status).toBe(200);
    expect(image.subarray(32_769, 32_774).toString('latin1')).toBe('CD001');
  });

  it('encrypts its state for Linux', async () => {
    const folder = laid();
    writeFileSync(join(folder, 'identity'), ageKeys.ours.identity, { mode: 0o600 });
    expect(await run(folder, ...singleNode, '--recipient', ageKeys.ours.recipient)).toMatchObject({
      code: 0,
    });
    expect(stateIn(folder)).toMatch(/^(?:age-encryption\.org|-----BEGIN AGE)/);
    const before = outputs(join(folder, 'site'));
    const again = sno([...singleNode, '--identity', 'identity', '--recipient', ageKeys.ours.recipient], {
      cwd: folder,
    });
    expect([again.code, again.stderr]).toEqual([0, '']);
    expect(outputs(join(folder, 'site'))).toEqual(before);
  });

  it('reports faults with their location, and writes no files', async () => {
    const folder = laid();
    const config = join(folder, 'site/install-config.yaml');
    writeFileSync(config, readFileSync(config, 'utf8').replace('pullSecret:', 'pullSecrett:'));
    const { code, stderr } = await run(folder, ...singleNode);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /error\[config\/unknown-field\][^]*--> site\\install-config\.yaml:\d+:1 \(pullSecrett\)/,
    );
    expect(readdirSync(join(folder, 'site'))).toEqual(['install-config.yaml']);

    const device = await run(folder, 'create', 'single-node-ignition-config', '--dir', 'con');
    expect(device.code).toBe(3);
    expect(device.stderr).toContain('error[dir/not-writable]');
  });

  it('lets one run at a time into a folder', async () => {
    const folder = laid();
    // Both runs are in one Windows system, where they see each other's processes.
    writeFileSync(
      join(folder, 'two.bat'),
      `start /b sno-install.exe ${singleNode.join(' ')} > first 2>&1\r\nsno-install.exe ${singleNode.join(' ')}\r\n`,
    );
    const { stderr } = await startedInWine(wine, folder, 'cmd', ['/c', 'two.bat']).exited;
    const output = [stderr, readFileSync(join(folder, 'first'), 'utf8')];
    expect(output.filter((text) => text.includes('error[dir/locked]'))).toHaveLength(1);
  });

  it('loses no state to a kill, and goes on', async () => {
    for (const afterMs of [800, 1600, 2400]) {
      const folder = laid();
      const killed = started(folder, ...singleNode);
      await wait(afterMs);
      killed.kill();
      await killed.exited;
      const left = stateIn(folder);
      expect(await run(folder, ...singleNode), `after ${afterMs.toString()} ms`).toMatchObject({ code: 0 });
      if (left !== undefined) expect(stateIn(folder)).toBe(left);
    }
  });

  function stateIn(folder: string): string | undefined {
    const path = join(folder, 'site', state);
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  }
});

/** All files except the state, which depends on the order in which a folder was created. */
function outputs(folder: string): unknown {
  return Object.entries(readTree(folder)).filter(([path]) => path !== state);
}

function sumOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
