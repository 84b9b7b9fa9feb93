import { listCertificates } from '../certificates/certificate-list.js';
import { detectCluster } from '../inspection/detect-cluster.js';
import { inspectConfig } from '../inspection/inspect-config.js';
import { type Sheet } from './sheet.js';
import { sheetOf, type SheetFacts } from './make-sheet.js';

/** Facts that are not in the config. */
export interface SheetAddition extends Pick<SheetFacts, 'medium' | 'payload'> {
  /** Whether keys and certificates are placeholders, as in outputs that were rendered for a review. */
  readonly isRendered?: boolean;
}

/** The sheet of an Ignition config; undefined for other bytes. */
export function readSheet(
  config: Uint8Array,
  { isRendered = false, ...added }: SheetAddition = {},
): Sheet | undefined {
  const inspected = inspectConfig(config);
  if (inspected === undefined) return undefined;
  const {
    parts,
    config: { fetchedConfigs, users },
  } = inspected;
  const { certificates } = isRendered
    ? { certificates: [] }
    : listCertificates([{ path: '', bytes: config }]);
  const names = certificates.flatMap(({ facts }) => facts.names);
  return sheetOf({
    parts,
    cluster: detectCluster({ parts, fetchedConfigs, names }),
    users,
    ...(!isRendered && { certificates }),
    ...added,
  });
}
