import type { CodeTable } from '../entry.js';

/** Problems of sites in an S3-compatible store, and of the Job that uploads them. */
export const storeCodes = {
  'store/address': {
    severity: 'error',
    fault:
      '`--store` is `s3://bucket/prefix`; AWS_ENDPOINT_URL, where it is set, is a URL without login and query, AWS_REGION a region',
    why: 'What stands there is printed, and goes into the manifest of a Job.',
    fix: 'Write the address without credentials; those stand in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  },
  'store/credentials': {
    severity: 'error',
    fault: 'the environment, or the file of shared credentials, says who asks the store',
    why: 'A store of sites is open to nobody else.',
    fix: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_SHARED_CREDENTIALS_FILE and AWS_PROFILE.',
  },
  'store/unreachable': {
    severity: 'error',
    fault: 'the store answers, at the latest after some minutes in which it is asked again',
    why: 'What is made is kept nowhere else.',
    fix: 'Look at AWS_ENDPOINT_URL, network and certificate (AWS_CA_BUNDLE), then run the same command again: what the store has is not made again.',
  },
  'store/refused': {
    severity: 'error',
    fault: 'the store does what it is asked',
    why: 'Its own code is in the message.',
    fix: 'Make the bucket, mend the credentials, or let them read and write objects below the prefix.',
  },
  'store/damaged': {
    severity: 'error',
    fault: 'what lies in the store is what `fleet create --store` put there, byte for byte',
    why: 'Somebody else wrote there, or the store lost something. Nothing of it is used.',
    fix: 'Look who writes below the prefix; delete the object, and the site is made again, with other keys.',
  },
  'store/plain': {
    severity: 'error',
    fault: 'fleet.yaml says `recipients` and `encryptOutputs: true`, and no site says otherwise',
    why: 'A store is read by more people than a disk: no secret lies there as plain text.',
    fix: 'Write both into fleet.yaml; `age-keygen` makes a recipient.',
  },
  'store/shard': {
    severity: 'error',
    fault: '`--shard` is `INDEX/NUMBER`, the index from 0 on and below the number, and stands with `--store`',
    why: 'Each of the shards makes its own part of the table.',
    fix: 'Write `--shard 0/8` for the first of eight.',
  },
  'store/site-missing': {
    severity: 'error',
    fault: 'the store has each site that is collected',
    why: 'It was not made yet, or could not be.',
    fix: 'Look at the logs of the shard; run it again: what the store has is not made again.',
  },
  'store/site-stale': {
    severity: 'error',
    fault: 'a site in the store is made of what the fleet says now, by this build of the program',
    why: 'A medium made of it would install something else than the files ask for. What another build or other inputs made is not collected: it may be another site.',
    fix: 'Make the fleet in the store again, with an identity that opens the states.',
  },
  'store/other-site': {
    severity: 'error',
    fault:
      'a folder that a site is collected into has no site with other keys, and nothing that was changed by hand',
    why: 'Keys that are written over cannot be had again.',
    fix: 'Move the folder away, or collect into another folder.',
  },
} as const satisfies CodeTable;
