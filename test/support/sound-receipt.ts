import { programVersion } from '../../src/core/program-version.js';
import type { Receipt } from '../../src/review/receipt/receipt.js';

/** A receipt of this version with nothing in it. */
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
