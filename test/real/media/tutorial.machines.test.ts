import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  expectShown,
  pageBlocks,
  pageFolder,
  startPageShell,
  type PageBlock,
  type PageFolder,
  type PageShell,
} from '../../support/page-commands.js';
import { describeWith, isRoot } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import { bootableIso, liveSystemFolder, liveSystemPrograms, slowArguments } from './live-system.js';
import { consoleOf, untilOff } from './qemu.js';

const page = 'docs/tutorial.md';
const text = readFileSync(page, 'utf8');
const blocks = pageBlocks(text).filter(({ mark }) => !mark.startsWith('not run'));
const first = blocks.findIndex(({ mark }) => mark === 'a machine: BIOS');
const machines = blocks.filter(({ mark }) => /^a machine: (BIOS|UEFI)$/.test(mark));

const programs = ['age-keygen', 'git', 'ip', 'perl', 'qemu-img', 'ssh-keygen', 'unshare'];
const title = 'the tutorial, word by word';
if (isRoot() || process.env['CI'] !== undefined)
  describeWith([...programs, ...liveSystemPrograms], title, suite);
else describe.skip(`${title} (needs root: run the tests with sudo)`, suite);

function suite(): void {
  let place: PageFolder;
  let shell: PageShell;

  beforeAll(async () => {
    const parts = await liveSystemFolder();
    const parent = scratchFolder();
    place = pageFolder(parent);
    const iso = bootableIso(parts, parent, { more: slowArguments });
    renameSync(iso, join(place.folder, 'rhcos-live.x86_64.iso'));
    shell = startPageShell(place);
  }, 10 * 60_000);
  afterAll(() => {
    shell.end();
  });

  describe('up to the machines', () => {
    test.each(blocks.slice(0, first))('$title', shows);
  });

  describe('the machines', () => {
    let consoles: readonly string[] = [];
    beforeAll(async () => {
      consoles = await Promise.all(machines.map((block) => consoleOfMachine(block, place)));
    }, 25 * 60_000);

    test.each(machines.map(({ mark }, index) => ({ mark, index })))(
      '$mark matches the description',
      ({ index }) => {
        const said = (name: string): readonly string[] =>
          [...(consoles[index] ?? '').matchAll(new RegExp(`^${name}: (.*?) *$`, 'gm'))].map(
            ([, line = '']) => line,
          );
        const [address, router, server] = ['ip', 'next-hop-address', 'server'].map(described);

        expect(said('address').map((line) => line.split(/ +/).slice(1))).toEqual([
          ['UNKNOWN', '127.0.0.1/8', '::1/128'],
          ['UP', `${address}/24`],
        ]);
        expect(said('route')).toContainEqual(
          expect.stringMatching(new RegExp(`^default via ${router} dev .* proto static`)),
        );
        expect(said('profile')).toContain('lan:802-3-ethernet');
        expect(said('resolv.conf')).toContain(`nameserver ${server}`);
        expect(consoles[index]).not.toContain('no network interface has an IPv4 address in machineNetwork');
        expect(consoles[index]).toMatch(
          /podman-asked: image exists quay\.io\/openshift-release-dev\/ocp-release:/,
        );
      },
    );
  });

  describe('after them', () => {
    test.each(blocks.slice(first).filter((block) => !machines.includes(block)))('$title', shows);
  });

  async function shows(block: PageBlock): Promise<void> {
    const before = block.mark === 'without a network' ? ['unshare', '--net'] : [];
    expectShown(page, block, await shell.run(block.commands, before));
  }
}

/** The value of a key in the network description on the page. */
function described(key: string): string {
  return new RegExp(`\\b${key}: \\[?([\\d.]+)`).exec(text)?.[1] ?? `nothing is said of ${key}`;
}

/** Changes of the page's commands: a smaller machine, and two of them at a time on one disk image. */
const otherwise = [
  ['-accel kvm -cpu host -smp 8 -m 16G', '-accel tcg -smp 1 -m 1536'],
  ['file=site1.qcow2', 'file=site1.qcow2,snapshot=on'],
] as const;

/** Boots the page's machine in a separate network, so that its ports are free. Returns its console. */
async function consoleOfMachine({ commands, mark }: PageBlock, { folder }: PageFolder): Promise<string> {
  const command = otherwise.reduce((words, [theirs, ours]) => {
    expect(words).toContain(theirs);
    return words.replace(theirs, ours);
  }, commands);
  const file = join(folder, `../${mark.slice(-4)}.console`);
  const script = `cd "$1"; ip link set lo up; exec >"$2"\nexec ${command}`;
  await untilOff('unshare', ['--net', 'bash', '-c', script, 'bash', folder, file], file);
  return consoleOf(file);
}
