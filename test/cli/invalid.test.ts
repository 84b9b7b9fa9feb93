import { chmodSync, cpSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { problemsText } from '../../src/telling/problem-text.js';
import { problemCatalog } from '../../src/core/problem-codes/catalog.js';
import { problemsOf } from '../../src/core/result.js';
import { stateFileName } from '../../src/disk/state/state-file.js';
import { check } from '../../src/run.js';
import { snapshot } from '../support/command.js';
import { readTree } from '../support/read-tree.js';
import { minimalInstallConfig } from '../support/minimal-config.js';
import { scratchFolder } from '../support/scratch.js';
import { throwawayState } from '../support/throwaway-state.js';

const folder = 'fixtures/invalid';
const cases = readdirSync(folder).toSorted();
const isUpdate = process.env['UPDATE_GOLDEN'] === '1';

/** Codes that no folder of inputs can show, and the test that does. */
const shownElsewhere: Readonly<Record<string, string>> = {
  'config/file-too-large': 'test/config/config-file.test.ts',
  'manifest/too-large': 'test/manifests/edits/documents.test.ts',
  'control-plane/unsettled': 'test/loops/pipeline.test.ts',
  'control-plane/unknown-flag': 'test/release/flags/check-flags.test.ts',
  'control-plane/unknown-feature-gate': 'test/release/flags/feature-gates.test.ts',
  'control-plane/unknown-admission-plugin': 'test/release/flags/admission-plugins.test.ts',
  'ignition/conflict': 'test/ignition/check.test.ts',
  'ignition/invalid': 'test/ignition/check.test.ts',
  'ignition/too-large': 'test/assets/ignition/single-node-ignition.test.ts',
  'enrich/asset-dir': 'test/cli/enrich.test.ts',
  'enrich/list': 'test/cli/enrich.test.ts',
  'enrich/missing-file': 'test/cli/enrich.test.ts',
  'enrich/input': 'test/cli/enrich.test.ts',
  'enrich/unknown-field': 'test/enrich/master-config.test.ts',
  'enrich/conflict': 'test/cli/enrich.test.ts',
  'enrich/snapshot': 'test/cli/enrich.test.ts',
  'enrich/too-large': 'test/cli/enrich.test.ts',
  'enrich/large': 'test/cli/enrich.test.ts',
  'enrich/output': 'test/cli/enrich.test.ts',
  'media/not-an-iso': 'test/media/single-node-iso.test.ts',
  'media/damaged': 'test/media/single-node-iso.test.ts',
  'media/no-embed-area': 'test/media/single-node-iso.test.ts',
  'media/unknown-packing': 'test/media/single-node-iso.test.ts',
  'media/config-present': 'test/media/single-node-iso.test.ts',
  'media/too-large': 'test/media/single-node-iso.test.ts',
  'media/no-kernel-arguments': 'test/media/single-node-iso.test.ts',
  'media/kernel-arguments': 'test/media/single-node-iso.test.ts',
  'media/no-minimal': 'test/media/minimal-iso.test.ts',
  'media/pxe-source': 'test/media/single-node-pxe.test.ts',
  'media/architecture': 'test/media/single-node-iso.test.ts',
  'media/release': 'test/media/single-node-iso.test.ts',
  'media/output': 'test/cli/create-single-node-iso.test.ts',
  'media/serve-sites': 'test/cli/serve.test.ts',
  'media/serve-state': 'test/cli/serve.test.ts',
  'media/serve-address': 'test/cli/serve.test.ts',
  'media/serve-tls': 'test/cli/serve.test.ts',
  'media/serve-plain': 'test/cli/serve.test.ts',
  'preflight/dns-unanswered': 'test/preflight/judging.test.ts',
  'preflight/name-missing': 'test/preflight/judging.test.ts',
  'preflight/name-known-to-node-alone': 'test/preflight/judging.test.ts',
  'preflight/name-elsewhere': 'test/preflight/judging.test.ts',
  'preflight/name-outside': 'test/preflight/judging.test.ts',
  'preflight/node-name': 'test/preflight/judging.test.ts',
  'preflight/image-nowhere': 'test/preflight/judging.test.ts',
  'preflight/image-missing': 'test/preflight/judging.test.ts',
  'preflight/image-digest': 'test/preflight/judging.test.ts',
  'preflight/registry-refused': 'test/preflight/judging.test.ts',
  'preflight/registry-untrusted': 'test/preflight/judging.test.ts',
  'preflight/registry-unreachable': 'test/preflight/judging.test.ts',
  'preflight/registry-failing': 'test/preflight/judging.test.ts',
  'preflight/place-failing': 'test/preflight/judging.test.ts',
  'preflight/proxy': 'test/preflight/judging.test.ts',
  'preflight/time-server': 'test/preflight/judging.test.ts',
  'preflight/no-time': 'test/preflight/judging.test.ts',
  'preflight/clock': 'test/preflight/judging.test.ts',
  'preflight/clock-off': 'test/preflight/judging.test.ts',
  'review/not-a-config': 'test/cli/render-ignition.test.ts',
  'review/nothing-to-show': 'test/cli/render-ignition.test.ts',
  'review/one-name': 'test/cli/render-ignition.test.ts',
  'review/not-a-tree': 'test/cli/render-ignition.test.ts',
  'review/other-form': 'test/cli/fleet/fleet-review.test.ts',
  'review/revision': 'test/cli/diff.test.ts',
  'review/certificate-ended': 'test/real/golden/golden-example.machines.test.ts',
  'receipt/none': 'test/cli/receipt/verify.test.ts',
  'receipt/unreadable': 'test/cli/receipt/verify.test.ts',
  'receipt/output-missing': 'test/cli/receipt/verify.test.ts',
  'receipt/output-changed': 'test/cli/receipt/verify.test.ts',
  'receipt/exposed': 'test/cli/receipt/verify.test.ts',
  'receipt/not-listed': 'test/cli/receipt/verify.test.ts',
  'receipt/odd-file': 'test/cli/receipt/verify.test.ts',
  'receipt/input-changed': 'test/cli/receipt/verify.test.ts',
  'receipt/input-not-compared': 'test/cli/receipt/verify.test.ts',
  'receipt/sign-key': 'test/cli/receipt/signature.test.ts',
  'receipt/signature': 'test/cli/receipt/signature.test.ts',
  'receipt/stale-signature': 'test/cli/receipt/signature.test.ts',
  'receipt/signer': 'test/cli/receipt/signature.test.ts',
  'receipt/other-program': 'test/cli/receipt/verify.test.ts',
  'fleet/missing': 'test/cli/fleet-validate.test.ts',
  'fleet/path': 'test/fleet/judge-fleet.test.ts',
  'fleet/table': 'test/fleet/site-table.test.ts',
  'fleet/column': 'test/fleet/site-table.test.ts',
  'fleet/column-unused': 'test/fleet/judge-fleet.test.ts',
  'fleet/site-name': 'test/fleet/site-table.test.ts',
  'fleet/site-twice': 'test/fleet/site-table.test.ts',
  'fleet/variable': 'test/fleet/judge-fleet.test.ts',
  'fleet/shared-value': 'test/fleet/judge-fleet.test.ts',
  'fleet/no-base': 'test/cli/fleet-validate.test.ts',
  'fleet/override': 'test/fleet/judge-fleet.test.ts',
  'fleet/no-site': 'test/cli/fleet-validate.test.ts',
  'fleet/not-comparable': 'test/cli/fleet/fleet-review.test.ts',
  'fleet/keys-missing': 'test/disk/keypool/pool-folder.test.ts',
  'fleet/keys-unreadable': 'test/disk/keypool/pool-folder.test.ts',
  'fleet/keys-copied': 'test/disk/keypool/pool-folder.test.ts',
  'fleet/keys-part': 'test/disk/keypool/pool-folder.test.ts',
  'fleet/keys-closed': 'test/cli/fleet-keys.test.ts',
  'fleet/keys-unusable': 'test/effects/keys/pooled-chance.test.ts',
  'boot/missing': 'test/cli/fleet-boot.test.ts',
  'boot/address': 'test/cli/fleet-boot.test.ts',
  'boot/certificate': 'test/cli/fleet-boot.test.ts',
  'boot/authorities': 'test/cli/fleet-boot.test.ts',
  'boot/password': 'test/cli/fleet-boot.test.ts',
  'boot/credentials': 'test/cli/fleet-boot.test.ts',
  'boot/image': 'test/cli/fleet-boot.test.ts',
  'boot/record': 'test/cli/fleet-boot.test.ts',
  'boot/unreachable': 'test/fleet/boot/boot-faults.test.ts',
  'boot/untrusted': 'test/real/redfish/fleet-boot.machines.test.ts',
  'boot/login': 'test/cli/fleet-boot.test.ts',
  'boot/unsupported': 'test/cli/fleet-boot.test.ts',
  'boot/refused': 'test/cli/fleet-boot.test.ts',
  'boot/enough': 'test/cli/fleet-boot.test.ts',
  'import/no-source': 'test/imports/sources.test.ts',
  'import/several': 'test/imports/sources.test.ts',
  'import/not-single-node': 'test/imports/sources.test.ts',
  'import/malformed': 'test/imports/sources.test.ts',
  'import/missing': 'test/imports/sources.test.ts',
  'import/no-pull-secret': 'test/imports/sources.test.ts',
  'import/no-place': 'test/cli/import.test.ts',
  'import/left-out': 'test/cli/import.test.ts',
  'import/not-read': 'test/imports/sources.test.ts',
  'import/folder-taken': 'test/cli/import.test.ts',
  'certs/ended': 'test/cli/certs.test.ts',
  'certs/ends-soon': 'test/cli/certs.test.ts',
  'certs/unreadable': 'test/review/certificates/certificate-list.test.ts',
  'certs/none': 'test/cli/certs.test.ts',
  'inspect/not-a-config': 'test/cli/inspect.test.ts',
  'inspect/no-config': 'test/cli/inspect.test.ts',
  'inspect/other-machine': 'test/cli/inspect.test.ts',
  'inspect/certificate-ended': 'test/review/inspection/inspect-file.test.ts',
  'inspect/certificate-ends': 'test/review/inspection/inspect-file.test.ts',
  'inspect/certificate-future': 'test/review/inspection/inspect-file.test.ts',
  'inspect/exposed-secret': 'test/review/inspection/inspect-file.test.ts',
  'inspect/spec-version': 'test/review/inspection/inspect-file.test.ts',
  'inspect/ignition': 'test/review/inspection/inspect-file.test.ts',
  'inspect/absent-unit': 'test/review/inspection/inspect-file.test.ts',
  'inspect/plain-http': 'test/review/inspection/inspect-file.test.ts',
  'inspect/other-version': 'test/review/inspection/inspect-file.test.ts',
  'inspect/too-large': 'test/review/inspection/inspect-file.test.ts',
  'why/unknown': 'test/cli/why.test.ts',
  'support/bundle-unreadable': 'test/cli/analyze.test.ts',
  'support/bundle-too-large': 'test/analysis/limits.machines.test.ts',
  'support/not-a-bundle': 'test/cli/analyze.test.ts',
  'support/host': 'test/ssh/node-address.test.ts',
  'support/ssh-missing': 'test/cli/gather.sweep.test.ts',
  'support/host-unreachable': 'test/cli/gather.sweep.test.ts',
  'support/key-refused': 'test/cli/gather.sweep.test.ts',
  'support/sudo-refused': 'test/cli/gather.sweep.test.ts',
  'support/script-missing': 'test/cli/gather.sweep.test.ts',
  'support/node-disk-full': 'test/cli/gather.sweep.test.ts',
  'support/gather-failed': 'test/cli/gather.sweep.test.ts',
  'support/gather-timeout': 'test/cli/gather.sweep.test.ts',
  'support/bundle-cut-off': 'test/cli/gather.sweep.test.ts',
  'state/no-identity': 'test/cli/state-encryption.test.ts',
  'state/not-read': 'test/cli/state-encryption.test.ts',
  'state/wrong-identity': 'test/cli/state-encryption.test.ts',
  'state/identity': 'test/cli/state-encryption.test.ts',
  'state/recipient': 'test/cli/state-encryption.test.ts',
  'state/passphrase': 'test/cli/state-passphrase.test.ts',
  'state/no-recipients': 'test/cli/state-encryption.test.ts',
  'state/command': 'test/cli/state-elsewhere.test.ts',
  'state/plain-beside': 'test/cli/state-elsewhere.test.ts',
  'state/kept-elsewhere': 'test/cli/state-elsewhere.test.ts',
  'state/nowhere-to-keep': 'test/cli/state-elsewhere.test.ts',
  'state/pruned': 'test/cli/state-elsewhere.test.ts',
  'state/absent': 'test/cli/state-encryption.test.ts',
  'state/already': 'test/cli/state-encryption.test.ts',
  'state/recipients-configured': 'test/cli/state-encryption.test.ts',
  'usage/unknown-argument': 'test/cli/usage.test.ts',
  'usage/unreadable-file': 'test/cli/configs/create-install-config.test.ts',
  'usage/environment': 'test/effects/clock.test.ts',
  'usage/environment-changed': 'test/cli/directory.test.ts',
  'aio/offline-files': 'test/cli/aio.test.ts',
  'dir/locked': 'test/cli/directory.test.ts',
  'dir/state-unreadable': 'test/cli/directory.test.ts',
  'dir/state-version': 'test/cli/directory.test.ts',
  'dir/state-conflict': 'test/cli/directory.test.ts',
  'dir/output-edited': 'test/cli/directory.test.ts',
  'dir/not-writable': 'test/cli/directory.test.ts',
  'dir/file-exists': 'test/cli/configs/create-install-config.test.ts',
  'dir/reissued': 'test/cli/directory.test.ts',
  'dir/state-draw': 'test/cli/state.test.ts',
  'dir/other-cluster': 'test/cli/state.test.ts',
  'dir/clock-ahead': 'test/cli/state.test.ts',
  'dir/certificates-outside': 'test/cli/state.test.ts',
  'dir/certificates-ending': 'test/cli/state.test.ts',
  'dir/unfinished': 'test/cli/prepared-directory.sweep.test.ts',
  'dir/untrusted': 'test/cli/prepared-directory.sweep.test.ts',
  'dir/state-exposed': 'test/disk/state/state-file.test.ts',
  'cluster/kubeconfig': 'test/cluster/kubernetes-client.test.ts',
  'cluster/wrong-authority': 'test/cluster/wait.test.ts',
  'cluster/wrong-name': 'test/cluster/wait.test.ts',
  'cluster/certificate-expired': 'test/cluster/wait.test.ts',
  'cluster/credentials-expired': 'test/cluster/wait.test.ts',
  'cluster/unauthorized': 'test/cluster/wait.test.ts',
  'cluster/forbidden': 'test/cluster/wait.test.ts',
  'cluster/unknown-host': 'test/cluster/wait.test.ts',
  'cluster/clock': 'test/cluster/wait.test.ts',
  'cluster/no-answer': 'test/cluster/wait.test.ts',
  'cluster/bootstrap-incomplete': 'test/cluster/goals/goals.test.ts',
  'cluster/install-incomplete': 'test/cluster/goals/goals.test.ts',
  'cluster/node-not-ready': 'test/cluster/goals/goals.test.ts',
  'cluster/no-cluster-version': 'test/cluster/goals/goals.test.ts',
  'cluster/router-authority': 'test/cluster/router-authority.test.ts',
  'cluster/operator': 'test/cluster/goals/goals.test.ts',
};

/** Which target meets the problem of a case. */
function targetOf(name: string): 'single-node-ignition-config' | 'aio-ignition' {
  return name.startsWith('aio--') ? 'aio-ignition' : 'single-node-ignition-config';
}

const states = { 'single-node-ignition-config': '', 'aio-ignition': '' };
beforeAll(async () => {
  const clock = { clock: '2026-01-02T03:04:05.000Z' };
  const files = { 'install-config.yaml': minimalInstallConfig };
  states['single-node-ignition-config'] = await throwawayState(files, clock);
  const withPrograms = readTree('fixtures/configs/aio-minimal');
  states['aio-ignition'] = await throwawayState(withPrograms, clock, 'aio-ignition');
});

/** The whole stderr of `validate` in a copy of the case, which it must leave as it is. */
async function stderrOf(name: string): Promise<string> {
  const scratch = scratchFolder();
  const dir = join(scratch, 'site');
  cpSync(join(folder, name), dir, { recursive: true, filter: (path) => !path.endsWith('/stderr.txt') });
  writeFileSync(join(scratch, 'state.json'), states[targetOf(name)], { mode: 0o600 });
  // A checkout keeps no modes; runs keep the state to its owner.
  const ownState = join(dir, stateFileName);
  if (existsSync(ownState)) chmodSync(ownState, 0o600);
  const before = snapshot(dir);
  const result = await check({
    dir,
    target: targetOf(name),
    stateFile: join(scratch, 'state.json'),
    command: 'sno-install validate',
    variables: {},
    present: new Date('2026-01-02T03:04:05Z'),
    templatesFolder: 'templates',
  });
  expect(snapshot(dir)).toEqual(before);
  return problemsText(problemsOf(result), { dir });
}

describe('an invalid input is reported as its stderr.txt says', () => {
  it.each(cases)('%s', async (name) => {
    const path = join(folder, name, 'stderr.txt');
    const stderr = await stderrOf(name);
    const want = existsSync(path) ? readFileSync(path, 'utf8') : '';
    if (isUpdate) writeFileSync(path, stderr);

    expect(stderr).toBe(want);
    expect(stderr).toContain(`[${name.replace('--', '/').replace(/\..*$/, '')}]`);
  });
});

describe('every problem code', () => {
  const shown = cases.map((name) => name.replace('--', '/').replace(/\..*$/, ''));

  it.each(Object.keys(problemCatalog))('%s has an invalid fixture, or a test that shows it', (code) => {
    const test = shownElsewhere[code];
    if (test === undefined) expect(shown).toContain(code);
    else expect(readFileSync(test, 'utf8')).toContain(code);
  });

  it('of a fixture is documented', () => {
    expect(shown.filter((code) => !Object.hasOwn(problemCatalog, code))).toEqual([]);
  });
});
