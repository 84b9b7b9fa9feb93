import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Machine } from '../real/control-plane/support/machine.js';
import { describeWithMachine } from '../real/control-plane/support/tools.js';
import { waitUntil } from '../real/control-plane/support/wait-until.js';
import { bootLive, createLab, applyIgnition, writeStubControl, type Lab } from './lab.js';
import { optionsOf } from './options.js';
import { consoleOf, textOf } from './phases.js';
import { awaitLine, shortenWaits, waitForUnitFailure, uptimeOf } from './units.js';

const options = optionsOf(process.env);
const bootkube = 'bootkube.service';

/** Behavior of the machine-config server, and the message that the user sees. */
const answers = [
  { fault: '500', says: 'The requested URL returned error: 500' },
  { fault: 'html', says: 'the answer is not an Ignition config' },
  { fault: 'older', says: 'the answer is an Ignition config of version 2.2.0, but 3.2.0 was asked for' },
];

describeWithMachine('faults of the bootstrap', () => {
  describe('when etcd has been stopped', () => {
    let lab: Lab;
    let machine: Machine;
    let root: string;
    let untouched: string;

    beforeAll(async () => {
      lab = await createLab(options);
      untouched = await lab.disk.hash();
      root = applyIgnition(lab, 'live', lab.site.liveConfig);
      // Other tests cover the disk.
      const unit = join(root, 'etc/systemd/system/install-to-disk.service');
      rmSync(unit);
      symlinkSync('/dev/null', unit);
      machine = await bootLive(lab, root);
      await waitUntil('bootkube to end', () => Promise.resolve(has('.bootkube.done') ? true : undefined));
      for (const stage of ['fetch-master-ignition', 'gather-bootstrap-logs', 'master-ignition'])
        forget(`${stage}.done`);
      forget('.bootkube.done');
    });

    afterAll(async () => {
      await machine.stop();
      await lab.remove();
    });

    const has = (name: string) => existsSync(join(root, 'opt/openshift', name));
    const forget = (name: string) => {
      rmSync(join(root, 'opt/openshift', name), { force: true });
    };

    test.each(answers)(
      'reports a machine-config server that answers $fault after 15 minutes',
      async ({ fault, says }) => {
        writeFileSync(join(root, 'etc/mcs/fault'), fault);
        await shortenWaits(machine, 60);
        const { console: shown, journal, seconds } = await waitForUnitFailure(machine, root, bootkube);
        expect(shown).toHaveLength(1);
        expect(shown[0]).toContain(says);
        expect(shown[0]).toMatch(/^The installation cannot go on, the disk is untouched: /);
        expect(journal.filter((line) => line.includes(says))).toHaveLength(1);
        expect(seconds).toBeGreaterThanOrEqual(900);
        expect(seconds).toBeLessThan(1500);
        expect(await lab.disk.hash()).toBe(untouched);
      },
    );

    test('reports a full /var instead of a server fault', async () => {
      rmSync(join(root, 'etc/mcs/fault'), { force: true });
      await shortenWaits(machine, 60);
      const fill =
        'mkdir -p /run/full && cp --archive /opt/openshift/. /run/full && umount /run/full-mount 2>/dev/null; mount --types tmpfs --options size=12M tmpfs /opt/openshift && cp --archive /run/full/. /opt/openshift 2>/dev/null; dd if=/dev/zero of=/opt/openshift/filler bs=64k 2>/dev/null; true';
      await machine.exec(['sh', '-c', fill]);
      const { console: shown, journal } = await waitForUnitFailure(machine, root, bootkube);
      await machine.exec(['umount', '/opt/openshift']);
      const says = 'its answer cannot be written below /opt/openshift, where 0 is left';
      expect(shown.filter((line) => line.includes(says))).toHaveLength(1);
      expect(journal.filter((line) => line.includes(says))).toHaveLength(1);
      expect(await lab.disk.hash()).toBe(untouched);
    });

    test('when all is mended, bootkube ends', async () => {
      const { journal } = await awaitLine(machine, root, bootkube, 'bootkube is complete');
      expect(journal).toContain('bootkube is complete');
      expect(has('master.ign')).toBe(true);
      expect(consoleOf(root)).toEqual([]);
    });
  });

  test('a manifest that can never be created: half an hour, then the line that names it, and the disk is untouched', async () => {
    const never = { apiVersion: 'nowhere.example.com/v1', kind: 'Never', metadata: { name: 'never' } };
    const lab = await createLab(options);
    const untouched = await lab.disk.hash();
    const root = applyIgnition(lab, 'live', lab.site.liveConfig);
    // The create command rejects such a manifest, so the test writes it into the root directly.
    writeFileSync(join(root, 'opt/openshift/openshift/99_never.yaml'), JSON.stringify(never));
    const machine = await bootLive(lab, root);
    try {
      await waitUntil('cluster-bootstrap', () =>
        Promise.resolve(
          textOf(join(root, 'var/log/openshift/bootkube.json')).includes('cb-bootstrap') ? true : undefined,
        ),
      );
      const startSeconds = await uptimeOf(machine);
      await shortenWaits(machine, 60);
      const record = await waitUntil('bootkube to fail', () => {
        const text = textOf(join(root, 'var/log/openshift/bootkube.json'));
        return Promise.resolve(text.includes('"result":"failure"') ? text : undefined);
      });
      const seconds = (await uptimeOf(machine)) - startSeconds;
      expect(seconds).toBeGreaterThanOrEqual(1800);
      expect(seconds).toBeLessThan(3600);
      const failed = (JSON.parse(record) as readonly Record<string, string>[]).find(
        ({ result }) => result === 'failure',
      );
      expect(failed).toMatchObject({ stage: 'cb-bootstrap', result: 'failure' });
      expect(failed?.['errorMessage']).toContain('cluster-bootstrap ended with status 1');
      // podman writes such lines into the journal of its service.
      expect(failed?.['errorMessage']).not.toMatch(/ container \w+ [0-9a-f]{64} /);
      const journal = await machine.journal('bootkube.service');
      expect(journal).toMatch(/no matches for kind "Never" in version "nowhere\.example\.com\/v1"/);
      expect(journal).toContain('cluster-bootstrap ended with status 1');
      expect(consoleOf(root).join('\n')).toContain('nowhere.example.com/v1');
      expect(await lab.disk.hash()).toBe(untouched);
    } finally {
      await machine.stop();
      await lab.remove();
    }
  });

  test('a manifest that cannot be loaded: exit status 0 of cluster-bootstrap is no success, and the disk is untouched', async () => {
    const lab = await createLab(options);
    const untouched = await lab.disk.hash();
    const root = applyIgnition(lab, 'live', lab.site.liveConfig);
    writeStubControl(root, 'fail/load-manifests', '1000');
    const machine = await bootLive(lab, root);
    try {
      const shown = await waitUntil('the notice', () =>
        Promise.resolve(
          consoleOf(root).find((text) => text.includes('cluster-bootstrap created no manifests')),
        ),
      );
      expect(shown).toContain('unable to convert asset "99_any.yaml" to unstructured');
      expect(existsSync(join(root, 'opt/openshift/cb-bootstrap.done'))).toBe(false);
      expect(await lab.disk.hash()).toBe(untouched);
    } finally {
      await machine.stop();
      await lab.remove();
    }
  });

  test('shows on the console why the live system cannot pull, until it can', async () => {
    const lab = await createLab(options);
    const untouched = await lab.disk.hash();
    const root = applyIgnition(lab, 'live', lab.site.liveConfig);
    // podman retries too, so the pull must fail more often than any retry limit in this test.
    writeStubControl(root, 'fail/pull-release', '1000');
    const machine = await bootLive(lab, root);
    try {
      const shown = await waitUntil('the notice', () => {
        const found = consoleOf(root).find((text) => text.includes('cannot be pulled'));
        return Promise.resolve(found);
      });
      expect(shown).toMatch(/docker:\/\/quay\.io\/.*: EOF$/);
      expect(await lab.disk.hash()).toBe(untouched);
      writeStubControl(root, 'fail/pull-release', '0');
      await waitUntil('the notice to go', () =>
        Promise.resolve(consoleOf(root).length === 0 ? true : undefined),
      );
    } finally {
      await machine.stop();
      await lab.remove();
    }
  });
});
