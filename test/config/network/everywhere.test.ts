import { expect, test } from 'vitest';

import { nodeSystem } from '../../../src/assets/aio/ignition.js';
import { liveSystem } from '../../../src/assets/live/live-system.js';
import { nodeNetworkConfig, nodeNetworkFiles } from '../../../src/assets/manifests/machines/node-network.js';
import { decodeDataUrl } from '../../../src/formats/data-url.js';
import type { NodeFile } from '../../../src/ignition/types.js';
import { fixtureFiles, resolveAssets } from '../../support/made-from.js';

const folder = '/etc/NetworkManager/system-connections';
const keyfile = '[connection]\nid=storage\ntype=ethernet\ninterface-name=eno9\n';
const network = fixtureFiles('static-network')['sno-config.yaml'] ?? '';
const withKeyfile = {
  'sno-config.yaml': network.replace('network:\n', 'network:\n  keyfiles:\n    - net/storage.nmconnection\n'),
  'net/storage.nmconnection': keyfile,
};

const names = ['bond0', 'bond0.126', 'eno1', 'ens1f0', 'ens1f1', 'storage']
  .map((name) => `${folder}/${name}.nmconnection 600`)
  .toSorted();

const profilesIn = (files: readonly NodeFile[]): readonly NodeFile[] =>
  files.filter(({ path }) => path.startsWith(folder));
const shown = (files: readonly NodeFile[]): readonly string[] =>
  files.map(({ path, mode }) => `${path} ${mode.toString(8)}`).toSorted();

test('the live system and the MachineConfig have the same files', async () => {
  const made = await resolveAssets([liveSystem, nodeNetworkConfig], {
    files: { ...fixtureFiles('static-network'), ...withKeyfile },
  });
  const live = profilesIn(made.valueOf(liveSystem).files);
  const [manifest] = made.valueOf(nodeNetworkConfig);
  expect(shown(live)).toEqual(names);
  expect(live.find(({ path }) => path.endsWith('/storage.nmconnection'))?.contents).toBe(keyfile);
  const config = manifest?.object as unknown as {
    readonly spec: {
      readonly config: {
        readonly storage: {
          readonly files: readonly { path: string; mode: number; contents: { source: string } }[];
        };
      };
    };
  };
  const kept = config.spec.config.storage.files.map(({ path, mode, contents }) => ({
    path,
    mode,
    contents: decodeDataUrl(contents.source)?.toString('utf8'),
  }));
  expect(kept.toSorted((left, right) => (left.path < right.path ? -1 : 1))).toEqual(
    live.toSorted((left, right) => (left.path < right.path ? -1 : 1)),
  );
});

test('so has the all-in-one node', async () => {
  const made = await resolveAssets([nodeSystem, nodeNetworkFiles], {
    files: { ...fixtureFiles('aio-minimal'), ...withKeyfile },
  });
  expect(shown(profilesIn(made.valueOf(nodeSystem).files))).toEqual(names);
});
