import { z } from 'zod';

import { optional, required } from './schema-parts.js';

/** fleet.yaml: many sites made of one base. Its shape; what values may be is said by who reads it. */
export const fleetSchema = z
  .strictObject({
    apiVersion: required(z.string(), 'Version of the format: `sno-install/v1alpha1`.', {
      examples: ['sno-install/v1alpha1'],
    }),
    kind: required(z.string(), 'Always `Fleet`.', { examples: ['Fleet'] }),
    target: optional(z.enum(['single-node-ignition-config', 'aio-ignition']), 'What is made for each site.', {
      default: 'single-node-ignition-config',
    }),
    sites: required(
      z.string(),
      'The table of the sites: a file of comma-separated values with a header, or a list of maps in YAML or JSON. `name` names the site.',
      { examples: ['sites.csv'] },
    ),
    base: optional(
      z.string(),
      'Folder of what all sites share: install-config.yaml, sno-config.yaml, manifests/ and openshift/. `${variable}` in them is what the table says.',
      { default: 'base' },
    ),
    overrides: optional(
      z.string(),
      'Folder with a folder for each site that is different: its files are merged over those of the base (RFC 7396).',
      { default: 'overrides' },
    ),
    variables: optional(
      z.record(z.string(), z.unknown()),
      'Values of variables that the table does not say.',
      { examples: [{ mtu: 1500 }] },
    ),
  })
  .meta({ title: 'sno-install fleet' });

/** fleet.yaml as people write it. */
export type FleetInput = z.infer<typeof fleetSchema>;
