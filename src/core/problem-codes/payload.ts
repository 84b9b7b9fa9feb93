import type { CodeTable } from './entry.js';

/** Problems of payloads: files with all images of a release. */
export const payloadCodes = {
  'payload/manifest': {
    severity: 'error',
    fault: 'the manifest of a payload (`NAME.payload.json`) is missing, damaged or of another format',
    why: 'It names the release and its images; without it the config cannot be created.',
    fix: 'Copy the file that `sno-install create payload` wrote beside the payload.',
  },
} as const satisfies CodeTable;
