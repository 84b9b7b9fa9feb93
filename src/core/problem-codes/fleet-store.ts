import type { CodeTable } from './entry.js';

/** Problems of sites and packs of fleets in an S3-compatible store, and of the Job that uploads them. */
export const fleetStoreCodes = {
  'store/address': {
    severity: 'error',
    fault: '`--store` is not `s3://bucket/prefix`, or AWS_ENDPOINT_URL or AWS_REGION is invalid',
    why: 'These values are printed and written to the manifest of a Job, so a URL must not contain a login or a query.',
    fix: 'Write the address without credentials; set those in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  },
  'store/credentials': {
    severity: 'error',
    fault: 'there are no credentials for the store, or they could not be obtained or renewed',
    why: 'The store rejects anonymous requests.',
    fix: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN, or AWS_PROFILE. With MinIO and Ceph, STS is at AWS_ENDPOINT_URL.',
  },
  'store/unreachable': {
    severity: 'error',
    fault: 'the store does not answer, even after retries for some minutes',
    why: 'Sites are stored only there.',
    fix: 'Check AWS_ENDPOINT_URL, the network and the certificate (AWS_CA_BUNDLE), then run the same command again. Sites that are already in the store are not generated again.',
  },
  'store/refused': {
    severity: 'error',
    fault: 'the store refused a request',
    why: 'The message contains the error code of the store.',
    fix: 'Create the bucket, correct the credentials, or allow them to read and write objects below the prefix.',
  },
  'store/damaged': {
    severity: 'error',
    fault: 'an object in the store differs from the one that `fleet create --store` wrote',
    why: 'Another program changed the object, put the archive of another site in its place, or the store lost data. The object is not used.',
    fix: 'Check which users have write access below the prefix, and restore the object from a backup or an earlier version. If the site is not installed, you can delete the object instead; the site is then generated with other keys.',
  },
  'store/key': {
    severity: 'error',
    fault: 'the fleet key of a store is not available, or is another one than that of its sites',
    why: 'The key seals the site records. The store has it as `fleet-key.age`, encrypted to the recipients of fleet.yaml; the output folder has it as `.sno-install-fleet-key`.',
    fix: 'Name an identity with `--identity`, or copy `.sno-install-fleet-key` into the output folder. If the key is lost, the states in the store can still be decrypted, but the sites must be created below another prefix.',
  },
  'store/rollback': {
    severity: 'error',
    fault: 'a site in the store has older certificates than the collected one',
    why: 'An earlier archive was put back into the store, or the collected site was renewed locally.',
    fix: 'Restore the newer object. To use the older one, move the folder of the site away and collect again.',
  },
  'store/plain': {
    severity: 'error',
    fault: '`--store` is used, but the outputs are not encrypted',
    why: 'A store must not contain secrets in plain text.',
    fix: 'Write `recipients` and `encryptOutputs: true` in fleet.yaml, and do not override them for single sites. `age-keygen` generates a recipient.',
    example: ['recipients: ["age1…"]', 'encryptOutputs: true'].join('\n'),
  },
  'store/shard': {
    severity: 'error',
    fault: '`--shard` is not `INDEX/COUNT` with an index from 0 to COUNT - 1, or is used without `--store`',
    why: 'Each shard generates a part of the table.',
    fix: 'Write `--shard 0/8` for the first of eight shards.',
  },
  'store/site-missing': {
    severity: 'error',
    fault: 'a site to collect is not in the store',
    why: 'The site was not created, or its creation failed.',
    fix: 'Check the logs of its shard, then run the shard again. Sites that are already in the store are not generated again.',
  },
  'store/site-stale': {
    severity: 'error',
    fault: 'a site in the store was generated from other inputs or by another build of sno-install',
    why: 'A boot image would install outdated settings, so the site is not collected.',
    fix: 'Run `fleet create --store` again, with an identity that decrypts the states.',
  },
  'store/other-site': {
    severity: 'error',
    fault: 'the target folder contains a site with other keys, or files that were changed by hand',
    why: 'Overwritten keys cannot be recovered.',
    fix: 'Move the folder away, or collect into another folder.',
  },
  'pack/setting': {
    severity: 'error',
    fault:
      '`--shards` or `--recipient` of `fleet pack`, or `--fleet-id` of `fleet create --packed`, is invalid',
    why: 'Pods could not read their packs.',
    fix: 'Write `--shards` from 1 to 10000, `--recipient` as an age recipient, and `--fleet-id` as `fleet pack` prints it.',
  },
  'pack/file': {
    severity: 'error',
    fault: 'a file of the fleet cannot be read',
    why: 'A pack contains all files of the base, and those of the classes and overrides of its sites.',
    fix: 'Correct the file in the message, or move it out of the folder if no site needs it.',
  },
  'pack/too-large': {
    severity: 'error',
    fault: 'a pack is larger than 60 MiB',
    why: 'Pods keep their pack in memory.',
    fix: 'Use more shards, and remove large files that no site needs from the base.',
  },
  'pack/missing': {
    severity: 'error',
    fault: 'the store has no packs, or not the pack of this shard',
    why: 'A pod gets the files of its sites only from there.',
    fix: 'Run `fleet pack` with the same store.',
  },
  'pack/shards': {
    severity: 'error',
    fault: 'the packs are those of another number of shards than the Job',
    why: 'Some sites would be created by no pod.',
    fix: 'Run `fleet pack` and `fleet job` with the same `--shards`.',
  },
  'pack/key': {
    severity: 'error',
    fault: 'no identity decrypts the pack',
    why: 'A pack is encrypted to the recipients of `fleet pack --recipient`, or to those of fleet.yaml.',
    fix: 'Put the identity of one of these recipients into the Secret `NAME-identity`.',
  },
  'pack/program': {
    severity: 'error',
    fault: 'the pack was written by another build of sno-install',
    why: 'Its sites would not match the fleet of the machine that packed it.',
    fix: 'Use an image of the same version as `fleet pack`, or pack again.',
  },
  'pack/fleet': {
    severity: 'error',
    fault: 'the pack has another fleet key than the Job expects',
    why: 'Encryption to a recipient needs no secret. The key proves that the pack comes from the owner of the fleet.',
    fix: 'Pass the fleet ID that `fleet pack` prints. If it is the right one, check who can write to the store.',
  },
  'pack/damaged': {
    severity: 'error',
    fault: 'a pack or the list of packs was changed after it was written',
    why: 'It is not used.',
    fix: 'Check who can write to the store, then run `fleet pack` again.',
  },
  'pack/duplicate': {
    severity: 'error',
    fault: 'another fleet has a site with the same name, node IP, cluster domain, MAC address or BMC',
    why: 'Both sites would install the same machine, or disturb each other in one network.',
    fix: 'Correct the table. Fleets in separate networks can use their own `--index`, or `--no-index`.',
  },
  'pack/index': {
    severity: 'error',
    fault: 'the index of another fleet cannot be read',
    why: 'Duplicates of that fleet would not be found.',
    fix: 'Add an identity of that fleet with `--identity`, or use `--no-index`.',
  },
  'job/setting': {
    severity: 'error',
    fault: 'an option of `fleet job` is invalid',
    why: 'The API would reject the Job, or a login would be readable in its manifest.',
    fix: 'Write `--shards` from 1 to 10000, `--name` with up to 40 lower-case letters, digits and `-`, and `--image` as an image reference without a login.',
  },
  'job/there': {
    severity: 'error',
    fault: 'a Job with this name already exists',
    why: 'A Job cannot be changed. A new Job continues with the sites that are already in the store.',
    fix: 'Delete the old Job when it is no longer running, or use another `--name`.',
  },
  'job/refused': {
    severity: 'error',
    fault: 'the API rejects the ConfigMap or the Job',
    why: 'The message contains the error of the API.',
    fix: 'Allow the user of the kubeconfig to create `configmaps` and `jobs` in the namespace, or apply the printed manifest yourself.',
  },
} as const satisfies CodeTable;
