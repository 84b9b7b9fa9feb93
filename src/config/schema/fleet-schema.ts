import { z } from 'zod';

import { optional, required } from './schema-parts.js';

/** Schema of fleet.yaml: many sites generated from one base configuration. Its reader checks the values. */
export const fleetSchema = z
  .strictObject({
    apiVersion: required(z.string(), 'Version of the format: `sno-install/v1alpha1`.', {
      examples: ['sno-install/v1alpha1'],
    }),
    kind: required(z.string(), 'Always `Fleet`.', { examples: ['Fleet'] }),
    target: optional(
      z.enum(['single-node-ignition-config', 'aio-ignition']),
      'Output to create for each site.',
      {
        default: 'single-node-ignition-config',
      },
    ),
    sites: required(
      z.string(),
      'Site table: a CSV file with a header, or a list of maps in YAML or JSON, with the site name in `name`. Or a folder of ZTP ClusterInstances.',
      { examples: ['sites.csv'] },
    ),
    base: optional(
      z.string(),
      'Folder with the configuration that all sites share: install-config.yaml, sno-config.yaml, manifests/, openshift/, post-install/ and crds/. `${variable}` in them is replaced with the value in the site table.',
      { default: 'base' },
    ),
    classes: optional(
      z.array(
        z.string().meta({
          description:
            'Name of a folder below `classes/`, usually a variable such as `${hardware}`. An empty name, as of `${region:-}`, is no class.',
        }),
      ),
      'Classes of each site. `classes/NAME/` has the layout of the base; its files are merged over the base in this order, before the override of the site (RFC 7396).',
      { default: [], examples: [['${hardware}', '${region}']] },
    ),
    raw: optional(
      z.array(
        z.string().meta({ description: 'Path or pattern: `*` matches within a name, `**` any folders.' }),
      ),
      'Files that are used as they are, without variables, such as manifests with `${…}` of their own. Paths are relative to the folder of fleet.yaml; a folder means all files below it.',
      { default: [], examples: [['base/manifests/ptp-operator.yaml', 'classes/*/openshift/']] },
    ),
    overrides: optional(
      z.string(),
      'Folder with overrides: one folder per site, whose files are merged into those of the base (RFC 7396).',
      { default: 'overrides' },
    ),
    outputs: optional(
      z.string(),
      'Output folder of `fleet create`, with one folder per site: its Ignition configs, `auth/` and its state file.',
      { default: 'out' },
    ),
    recipients: optional(
      z.array(z.string().meta({ description: 'A recipient, as `age-keygen -y` prints it: `age1…`.' })),
      'age recipients that the state file of every site is encrypted to, in addition to `state.recipients` of its sno-config.yaml. With at least one, state files are never written as plain text.',
      { default: [], examples: [['age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p']] },
    ),
    encryptOutputs: optional(
      z.boolean(),
      'Whether Ignition configs and the files in `auth/` are also encrypted, as `NAME.age`. sno-config.yaml of a site overrides it. Omitted means as in the last run.',
      { examples: [true] },
    ),
    variables: optional(
      z.record(z.string(), z.unknown()),
      'Default values of variables that are missing in the site table.',
      { examples: [{ mtu: 1500 }] },
    ),
    secrets: optional(
      z.record(
        z.string(),
        z.strictObject({
          command: required(
            z.array(
              z.string().meta({ description: 'A word of the command; may contain variables of the site.' }),
            ),
            'Program and arguments that print the value of one site. It runs without a shell, once per site.',
            { examples: [['vault', 'kv', 'get', '-field=value', 'secret/sites/${name}']], writeOnly: true },
          ),
          example: optional(
            z.string(),
            'Value that commands use that only check or show. Omitted means a pull secret without access for `pullSecret`, and `example` for all others.',
            { examples: ['example'], writeOnly: true },
          ),
        }),
      ),
      'Variables whose values are secrets, from a command for each site.',
      {
        examples: [
          { pullSecret: { command: ['vault', 'kv', 'get', '-field=value', 'secret/sites/${name}'] } },
        ],
      },
    ),
    boot: optional(
      z.strictObject({
        address: required(
          z.string(),
          'BMC address of a site, usually `${bmc}`: `https://host`, or a metal3 address such as `redfish-virtualmedia://host/redfish/v1/Systems/1`.',
          { examples: ['${bmc}'] },
        ),
        certificate: optional(
          z.string(),
          'SHA-256 of the certificate of the BMC, as `fleet boot --check` prints it.',
          { examples: ['${bmcCertificate}'] },
        ),
        authorities: optional(
          z.string(),
          'PEM file of the CAs that issued the certificates of the BMCs, below the folder of fleet.yaml.',
          { examples: ['bmc-ca.pem'] },
        ),
        credentials: optional(
          z.string(),
          'File below the folder of fleet.yaml, encrypted with age, with users and passwords of the BMCs by site name.',
          { examples: ['bmc.yaml.age'] },
        ),
        username: optional(
          z.string(),
          'User of the BMC, instead of `credentials`; usually a variable or a secret.',
          { examples: ['${bmcUser}'] },
        ),
        password: optional(
          z.string(),
          'Password of the BMC: a placeholder of one of the `secrets`, whose command prints it.',
          { examples: ['${bmcPassword}'], writeOnly: true },
        ),
        plainHttp: optional(
          z.boolean(),
          'Whether BMCs may be contacted without TLS, which exposes passwords on the network.',
          {
            default: false,
          },
        ),
      }),
      'How `fleet boot` reaches the BMCs of the sites.',
    ),
    serve: optional(
      z.strictObject({
        url: optional(z.string(), 'URL that machines reach the server at, as `--url`.', {
          examples: ['https://boot.example.com:8443'],
        }),
        listen: optional(z.string(), 'Address and port, as `--listen`.', { examples: ['192.0.2.1:8443'] }),
        iso: optional(
          z.string(),
          'The downloaded live ISO. All paths here are relative to the folder of fleet.yaml, or absolute.',
          { examples: ['rhcos-live.x86_64.iso'] },
        ),
        tokens: optional(z.string(), 'File with the tokens and the CA of the server.', {
          default: '.sno-install-serve.json',
        }),
        identity: optional(z.string(), 'age identity file that decrypts the outputs, as `--identity`.', {
          examples: ['/etc/sno/key.txt'],
        }),
      }),
      'Settings of `serve --fleet`. Command-line options override them.',
    ),
  })
  .meta({ title: 'sno-install fleet' });

/** fleet.yaml as written by the user. */
export type FleetInput = z.infer<typeof fleetSchema>;
