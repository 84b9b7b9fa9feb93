import { programVersion } from '../../src/core/program-version.js';
import type { Receipt } from '../../src/disk/receipt/receipt.js';

/** An empty receipt of the current version. */
export const soundReceipt: Receipt = {
  program: { version: programVersion },
  target: 'single-node-ignition-config',
  cluster: { name: 'site1', baseDomain: 'example.com' },
  issued: '2026-01-02T03:04:05Z',
  environment: {},
  inputs: [],
  inputFolders: [],
  sources: [],
  outputs: [],
};

const hash = 'a'.repeat(64);

/** A receipt of a medium that was created from a live ISO. */
export const soundMediumReceipt: Receipt = {
  ...soundReceipt,
  target: 'single-node-iso',
  medium: {
    config: { bytes: 1, sha256: hash },
    liveIso: { name: 'live.iso', bytes: 1, sha256: hash, architecture: 'amd64', release: '4.18' },
    urls: { rootfs: 'http://192.0.2.1/rootfs.img' },
    kernelArguments: ['console=ttyS0'],
  },
};
