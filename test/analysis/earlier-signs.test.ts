import { describe, expect, it, test } from 'vitest';

import { faults } from '../../src/analysis/faults/all-faults.js';
import { earlierSigns } from '../../src/analysis/faults/earlier-signs.js';
import { faultsIn, notesIn } from '../../src/analysis/recognise.js';

/** Messages of the scripts of 0.1.0. */
const messages: readonly (readonly [id: string, message: string])[] = [
  ['aio-missing-program', 'the machine lacks kubelet, jq: name it in aio.files of sno-config.yaml'],
  [
    'aio-clock-before-authorities',
    'the clock says 2025-01-02 03:04:05 UTC, before 2026-01-02 02:04:05 UTC, when etcd-signer.crt begins',
  ],
  [
    'clock-before-certificates',
    'the clock says 2026-01-01 03:04:05 UTC, before 2026-01-02 02:04:05 UTC, when the certificates begin',
  ],
  [
    'clock-after-certificates',
    'the clock says 2026-01-12 13:04:05 UTC, but the certificates ended 2026-01-12 03:04:05 UTC: make a new Ignition config',
  ],
  [
    'disk-holds-this-cluster',
    'the installation disk /dev/vda holds an installation of this very cluster: put it before this medium in the boot order,',
  ],
  ['disk-unmarked', 'the disk /dev/vda does not take the id of the cluster'],
  ['disk-cannot-be-marked', 'a DASD has no id of its own: a second installation will not be noticed'],
  ['release-payload-incomplete', 'the release payload does not say its version'],
  ['control-plane-files-missing', '/opt/openshift/etcd-bootstrap holds no static pod of etcd'],
  ['snapshot-unusable', 'the compressed snapshot of etcd does not give back the snapshot'],
  [
    'mcs-unfinished',
    'the machine-config server gives no usable config for the master: the answer holds no files or no units, as if the machine-config operator had not finished',
  ],
  ['log-bundle-left-behind', 'gathering the logs of the bootstrap failed; the disk gets none'],
  ['log-bundle-left-behind', 'the logs of the bootstrap take more than 32 MiB; the disk gets none'],
  [
    'foreign-certificate-request',
    "certificate request foreign is not this kubelet's, it is left alone: system:node:worker asks for it",
  ],
];

/** The IDs of the faults and notes found in the journal of a service whose stage has failed. */
function foundIn(id: string, text: string): readonly string[] {
  const fault = faults.find((each) => each.id === id);
  const stage = fault?.stages === 'any' ? undefined : fault?.stages[0];
  const service = fault?.service ?? 'bootkube';
  const lines = [{ time: '2026-01-02T03:04:05Z', text }];
  const journalOf = (unit: string) => (unit === service ? lines : []);
  const stops = faultsIn({
    ...(stage === undefined ? {} : { stage }),
    service,
    lines,
    isRunning: false,
    journalOf,
  });
  return [...stops, ...notesIn([service], journalOf)].map((found) => found.fault.id);
}

describe('a message of 0.1.0', () => {
  test.each(messages)('%s: %s', (id, message) => {
    expect(foundIn(id, message)).toEqual([id]);
  });
});

describe('the signs of earlier releases', () => {
  it('are all covered by a message', () => {
    expect(new Set(messages.map(([id]) => id))).toEqual(new Set(Object.keys(earlierSigns)));
  });
});
