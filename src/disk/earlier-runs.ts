import { join } from 'node:path';

import { omitKeys } from '../core/map-record.js';
import { sha256 } from '../formats/sha256.js';
import { unmodifiedOutputs } from './outputs.js';
import { readReceipt } from './receipt/read-receipt.js';
import { receiptName } from './receipt/receipt.js';
import { readSiteRecord } from './site-record/site-record.js';
import { validRuns } from './state/last-run.js';
import { clusterIdOf, readRunRecord } from './state/run-record.js';
import type { State } from './state/state-model.js';

type Hashes = State['written'];

/**
 * Adds the hashes of earlier runs in the directory to a state. They come from its record, or from that of a fleet's site. Both stay behind when a
 * directory is cloned or updated with Git. The receipt, which moves with the outputs, then tells which files are outputs.
 */
export function withEarlierRuns(dir: string, state: State): State {
  if (state.cluster === undefined) return state;
  const record = readRunRecord(dir, state);
  const known = record?.written ?? outputsOfSite(dir);
  const received = outputsOfReceipt(dir, state);
  const moved = unmodifiedOutputs(dir, omitEqual(received, known));
  const written = { ...received, ...known, ...moved, ...state.written };
  if (record === undefined) return { ...state, written };
  return {
    ...state,
    written,
    sealed: omitKeys(record.sealed, Object.keys(moved)),
    lastRuns: validRuns(record.lastRuns, record.written, written),
  };
}

/** Outputs in the record of a fleet's site. One without a hash is a file of the user. */
function outputsOfSite(dir: string): Hashes {
  const outputs = readSiteRecord(dir)?.outputs ?? [];
  return Object.fromEntries(
    outputs.filter((each) => each.sha256 !== '').map((each) => [each.path, each.sha256]),
  );
}

/** Outputs in the receipt, and the receipt itself, if it is of this cluster. */
function outputsOfReceipt(dir: string, state: State): Hashes {
  const read = readReceipt(join(dir, receiptName));
  if (!read.ok || read.value.receipt.cluster.clusterID !== clusterIdOf(state)) return {};
  const { receipt, bytes } = read.value;
  return {
    ...Object.fromEntries(receipt.outputs.map((each) => [each.path, each.sha256])),
    [receiptName]: sha256(bytes),
  };
}

function omitEqual(hashes: Hashes, other: Hashes): Hashes {
  return Object.fromEntries(Object.entries(hashes).filter(([path, hash]) => other[path] !== hash));
}
