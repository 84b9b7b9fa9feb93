import { z } from 'zod';

import { optional, required } from './schema-parts.js';

/** Schema of fleet.yaml: many sites generated from one base configuration. Its reader checks the values. */
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
      'The table of the sites: a file of comma-separated values with a header, or a list of maps in YAML or JSON; `name` names the site. Or a folder of ClusterInstances of ZTP.',
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
    outputs: optional(
      z.string(),
      'Folder for what `fleet create` makes, with a folder for each site: its Ignition configs, `auth/` and its state file.',
      { default: 'out' },
    ),
    recipients: optional(
      z.array(z.string().meta({ description: 'A recipient, as `age-keygen -y` prints it: `age1…`.' })),
      'To whom the state file of every site is encrypted, beside those that `state.recipients` of its sno-config.yaml names. With any, no state is ever written as plain text.',
      { default: [], examples: [['age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p']] },
    ),
    encryptOutputs: optional(
      z.boolean(),
      'Whether Ignition configs and what lies in `auth/` are written encrypted as the state files are, as `NAME.age`, where sno-config.yaml of a site does not say it. Omitted means as the last run did.',
      { examples: [true] },
    ),
    variables: optional(
      z.record(z.string(), z.unknown()),
      'Values of variables that the table does not say.',
      { examples: [{ mtu: 1500 }] },
    ),
    boot: optional(
      z.strictObject({
        address: required(
          z.string(),
          'The BMC of a site, most often `${bmc}`: `https://host`, or as metal3 has it, such as `redfish-virtualmedia://host/redfish/v1/Systems/1`.',
          { examples: ['${bmc}'] },
        ),
        certificate: optional(
          z.string(),
          'SHA-256 of the certificate that the BMC shows, as `fleet boot --check` prints it.',
          { examples: ['${bmcCertificate}'] },
        ),
        authorities: optional(
          z.string(),
          'File of authorities in PEM whose certificates BMCs show, below the folder of fleet.yaml.',
          { examples: ['bmc-ca.pem'] },
        ),
        credentials: optional(
          z.string(),
          'File below the folder of fleet.yaml, encrypted by age, with users and passwords of the BMCs by names of sites.',
          { examples: ['bmc.yaml.age'] },
        ),
        plainHttp: optional(
          z.boolean(),
          'Whether BMCs may be asked without TLS: passwords can be read on the way.',
          {
            default: false,
          },
        ),
      }),
      'How `fleet boot` reaches the BMCs of the sites.',
    ),
    serve: optional(
      z.strictObject({
        url: optional(z.string(), 'What machines reach the server by, as `--url`.', {
          examples: ['https://boot.example.com:8443'],
        }),
        listen: optional(z.string(), 'Address and port, as `--listen`.', { examples: ['192.0.2.1:8443'] }),
        iso: optional(
          z.string(),
          'The live ISO as it was downloaded: from the folder of fleet.yaml, or absolute, as all paths here.',
          { examples: ['rhcos-live.x86_64.iso'] },
        ),
        tokens: optional(z.string(), 'The file of tokens and of the authority.', {
          default: '.sno-install-serve.json',
        }),
        identity: optional(
          z.string(),
          'File of the identity that opens what is encrypted, as `--identity`.',
          {
            examples: ['/etc/sno/key.txt'],
          },
        ),
      }),
      'How `serve --fleet` gives out the media of the sites; the command line goes before it.',
    ),
  })
  .meta({ title: 'sno-install fleet' });

/** fleet.yaml as written by the user. */
export type FleetInput = z.infer<typeof fleetSchema>;
