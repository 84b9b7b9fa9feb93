import { recordName } from '../../disk/site-record/site-record.js';
import type { SiteStatus } from './fleet-status.js';

/** The status of outputs that need no new run. */
export const currentWords = 'up to date';

/** The status of a site in words. */
export function statusWords({ status, reason, path = '', codes }: SiteStatus): string {
  switch (status) {
    case 'current':
      return currentWords;
    case 'missing':
      return 'not created';
    case 'failed':
      return `creation failed${codes.length === 0 ? '' : ` (${codes.join(', ')})`}`;
    case 'stale':
      return reason === undefined ? 'outdated' : `outdated: ${reasonOf(reason, path)}`;
  }
}

function reasonOf(reason: NonNullable<SiteStatus['reason']>, path: string): string {
  switch (reason) {
    case 'inputs-changed':
      return 'inputs changed';
    case 'program-changed':
      return 'created by another version of sno-install';
    case 'certificates-not-valid':
      return 'certificates expired or not yet valid';
    case 'interrupted':
      return 'a run is in progress or was interrupted';
    case 'inputs-unknown':
      return 'inputs unknown';
    case 'record-untrusted':
      return `other users can change the record ${recordName} (\`chmod go-w\`)`;
    case 'output-missing':
      return `${path} is missing`;
    case 'output-changed':
      return `${path} was modified`;
  }
}
