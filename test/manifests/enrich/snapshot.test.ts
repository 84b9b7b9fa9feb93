import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';

import { withSnapshot } from '../../../src/manifests/enrich/snapshot.js';
import { sha256 } from '../../../src/formats/sha256.js';
import { description, folderOf, sealedSnapshot, shown, sound, type Files } from './given.js';
import { expectOk } from '../../support/sound-value.js';

const db = 'openshift/etcd-snapshot/snapshot.db';
const archive = `${db}.gz`;
const json = 'openshift/etcd-snapshot/snapshot.json';
const hostname = 'openshift/bootstrap-in-place/hostname';

function described(snapshot: object): string {
  return JSON.stringify({ ...description, snapshot: { ...description.snapshot, ...snapshot } });
}

const packed: Files = {
  [archive]: gzipSync(sealedSnapshot),
  [json]: described({ sha256: sha256(sealedSnapshot), sizeBytes: sealedSnapshot.length }),
  [hostname]: 'sno1\n',
};

test('copies the files that the node has generated', () => {
  const folder = expectOk(withSnapshot(folderOf(packed)));
  for (const [source, contents] of Object.entries(packed)) {
    expect(folder.read(source)).toEqual({ kind: 'file', bytes: Buffer.from(contents) });
  }
});

test('a snapshot is compressed the same way each time, without name and time', () => {
  const [first, second] = [0, 1].map(() => expectOk(withSnapshot(folderOf(sound))).read(archive));
  expect(first).toEqual(second);
  expect(first?.kind === 'file' && [...first.bytes.subarray(0, 10)]).toEqual([
    0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 3,
  ]);
});

test('ignores a folder without a description; the list reports the missing file', () => {
  const folder = expectOk(withSnapshot(folderOf({ [db]: sealedSnapshot })));
  expect(folder.read(archive)).toEqual({ kind: 'absent' });
});

describe('rejects a snapshot that does not match its description', () => {
  const wrongHash = 'the SHA-256 of the snapshot differs from that in its description';
  const flipped = Buffer.from(sealedSnapshot).fill(0, 3, 4);
  test.each<{ name: string; given: Files; want: string }>([
    {
      name: 'another snapshot',
      given: { ...packed, [archive]: gzipSync('x') },
      want: `${archive}: ${wrongHash}`,
    },
    {
      name: 'a snapshot that is cut off',
      given: { ...packed, [archive]: gzipSync(sealedSnapshot).subarray(0, -9) },
      want: `${archive}: the snapshot cannot be unpacked`,
    },
    {
      name: 'an archive without a hash',
      given: { ...packed, [json]: described({}) },
      want: `${archive}: ${wrongHash}`,
    },
    {
      name: 'another snapshot, not compressed yet',
      given: { ...sound, [json]: described({ sha256: sha256('x') }) },
      want: `${db}: ${wrongHash}`,
    },
    {
      name: 'a snapshot with a wrong byte',
      given: { ...sound, [db]: flipped },
      want: `${db}: this is not an etcd snapshot, or it is damaged`,
    },
    {
      name: 'the placeholder of the live system',
      given: { ...sound, [db]: 'The bootstrap writes the snapshot of etcd here.\n' },
      want: `${db}: this is not an etcd snapshot, or it is damaged`,
    },
    {
      name: 'a description that the bootstrap has not filled',
      given: {
        ...sound,
        [json]: JSON.stringify({ ...description, member: { name: null }, snapshot: { etcdImage: null } }),
      },
      want: `${json}: the description of the snapshot does not contain member.name, member.peerURL, member.initialClusterToken, snapshot.etcdImage`,
    },
    {
      name: 'a description that is no JSON',
      given: { ...sound, [json]: 'x' },
      want: `${json}: the description of the snapshot is not a JSON object`,
    },
    {
      name: 'another host name',
      given: { ...packed, [hostname]: 'sno2\n' },
      want: `${hostname}: the host name is not that of the node the snapshot was taken on`,
    },
  ])('$name', ({ given, want }) => {
    expect(shown(withSnapshot(folderOf(given)))).toEqual([`error[enrich/snapshot] ${want}`]);
  });
});
