// JSON Schema of the output of `--output json`: an object with `ok`, `problems` and the fields of the command.
import { problemCatalog } from '../../.cache/modules/core/problem-codes/catalog.js';
import { schemaUrl } from '../../.cache/modules/config/schema/schema-url.js';

const text = { type: 'string' };
const hex = { type: 'string', pattern: '^[0-9a-f]+$' };
const fileMode = { type: 'string', pattern: '^[0-7]{4}$' };
const whole = { type: 'integer', minimum: 0 };
const yes = { type: 'boolean' };
const listOf = (items) => ({ type: 'array', items });
const oneOf = (...values) => ({ enum: values });

/** Schema of an object without additional properties; names with a trailing `?` are optional. */
function object(description, members) {
  const entries = Object.entries(members).map(([name, schema]) => [name.replace(/\?$/, ''), schema]);
  const required = Object.keys(members).filter((name) => !name.endsWith('?'));
  return {
    description,
    type: 'object',
    properties: Object.fromEntries(entries),
    required,
    additionalProperties: false,
  };
}

const common = { ok: yes, problems: listOf({ $ref: '#/$defs/problem' }) };
/** Problems of a fleet: those of sites contain the site's name. */
const someOfSites = listOf({ anyOf: [{ $ref: '#/$defs/siteProblem' }, { $ref: '#/$defs/problem' }] });
const bmc = { ...text, description: 'Host and port of the BMC.' };
const time = { type: 'string', format: 'date-time' };

const payloadRelease = object('The release.', {
  image: text,
  version: text,
  architecture: oneOf('amd64', 'arm64', 'ppc64le', 's390x'),
});
const payloadRegistry = object('Image that serves the payload.', { image: text, isOfRelease: yes });
const payloadBlobs = object('Blobs of all images.', { count: whole, bytes: whole });
const payloadFileSystem = object('The file system.', { bytes: whole, sha256: hex });

const isoPayload = (description) => object(description, { release: text, sha256: hex });

const results = {
  failure: object('Output of any command that fails, including usage errors.', {
    ...common,
    problems: someOfSites,
  }),
  create: object('Output of `create` with a target and `render control-plane`.', {
    ...common,
    outputs: listOf({ $ref: '#/$defs/output' }),
    'embedded?': object('Size of the compressed config in the live ISO.', {
      bytes: whole,
      isExact: yes,
      limitBytes: whole,
    }),
    'bootableUntil?': time,
  }),
  mediaDownload: object(
    'Output of `media download`. `images` is present even if a download fails; `path` is absent for a file that is not there.',
    {
      ...common,
      architecture: oneOf('x86_64', 'aarch64', 'ppc64le', 's390x'),
      build: { ...text, description: 'Build of CoreOS.' },
      images: listOf(
        object('A file of the live system.', {
          kind: oneOf('iso', 'kernel', 'initramfs', 'rootfs'),
          name: text,
          url: text,
          sha256: hex,
          'bytes?': whole,
          'path?': { ...text, description: 'Absolute path of the verified file.' },
        }),
      ),
    },
  ),
  payload: object('Output of `create payload`.', {
    ...common,
    path: text,
    manifestPath: text,
    bytes: whole,
    release: payloadRelease,
    registry: payloadRegistry,
    images: { ...whole, description: 'Number of images.' },
    blobs: payloadBlobs,
    fileSystem: payloadFileSystem,
  }),
  writtenPayload: object('Output of `payload write`.', {
    ...common,
    payload: text,
    target: { ...text, description: 'Path of the disk, partition or disk image.' },
    kind: oneOf('disk', 'partition', 'file'),
    release: payloadRelease,
    bytes: { ...whole, description: 'Size of the payload.' },
    sha256: { ...hex, description: 'SHA-256 of the payload, as the target returned it.' },
    partition: object('Position of the partition in the target, in bytes.', { start: whole, bytes: whole }),
    isReadFromDisk: {
      ...yes,
      description:
        'Whether the payload was read back from the disk, and not from the memory of this machine.',
    },
  }),
  inspectPayload: object('Output of `inspect` for a payload.', {
    ...common,
    path: text,
    kind: oneOf('payload'),
    payload: object('The manifest, as in docs/payload-manifest.schema.json.', {
      apiVersion: text,
      kind: text,
      release: payloadRelease,
      registry: payloadRegistry,
      images: listOf(
        object('An image. `name` is its name in the release.', {
          'name?': text,
          image: text,
          repository: text,
          digest: text,
          mediaType: text,
          bytes: whole,
        }),
      ),
      blobs: payloadBlobs,
      createdBy: text,
      fileSystem: payloadFileSystem,
    }),
  }),
  tree: object('Output of `render ignition`: the folder of the tree and its files, relative to the folder.', {
    ...common,
    tree: text,
    files: listOf(text),
  }),
  virtualMachine: object(
    'Output of `render libvirt`: the folder and its files, and the files that the machine uses on the host.',
    {
      ...common,
      machine: { ...text, description: 'Name of the domain and of the network.' },
      tree: text,
      files: listOf(text),
      diskFile: text,
      isoFile: text,
      diskGib: whole,
      addresses: listOf(text),
      macAddresses: listOf(text),
    },
  ),
  inspect: object('Output of `inspect`. Faults of the file are in `problems`.', {
    ...common,
    path: text,
    kind: oneOf('ignition', 'iso', 'overlay', 'configuration', 'outputs', 'pxe'),
    'sheet?': { $ref: '#/$defs/sheet' },
    'medium?': object('Only for a live ISO or an initrd overlay.', {
      files: listOf(object('A file in the initramfs.', { path: text, mode: fileMode, bytes: whole })),
      'iso?': object('Metadata of the ISO.', {
        volume: text,
        'machine?': text,
        'release?': text,
        'rootfs?': object(
          'Only for a minimal image: URL of its root file system, if the kernel arguments contain it.',
          {
            'url?': text,
          },
        ),
        'payload?': object(
          'The payload behind the ISO, as its manifest describes it; empty if that cannot be read.',
          { 'release?': text, 'sha256?': text },
        ),
        configArea: object('The area for the config.', { bytes: whole, usedBytes: whole }),
        'kernelArguments?': object('Current and original kernel arguments of the image.', {
          text,
          'original?': text,
        }),
      }),
    }),
    'network?': listOf(
      object('A NetworkManager keyfile in the config or the initramfs.', {
        path: text,
        'type?': text,
        'device?': text,
        settings: listOf(text),
      }),
    ),
    'config?': object('The Ignition config, including the configs embedded in it.', {
      specVersion: text,
      bytes: whole,
      embedded: object('Size after compression.', { bytes: whole, isExact: yes, limitBytes: whole }),
      mergedConfigs: whole,
      fetchedConfigs: listOf(text),
      files: listOf(
        object('A file on the node.', {
          path: text,
          mode: fileMode,
          owner: text,
          'bytes?': whole,
          notes: listOf(text),
        }),
      ),
      units: listOf(
        object('A unit.', {
          name: text,
          state: oneOf('enabled', 'disabled', 'masked', 'not-set'),
          hasText: yes,
          dropins: listOf(text),
        }),
      ),
      users: listOf(object('A user.', { name: text, sshKeys: listOf(text), hasPassword: yes })),
      kernelArguments: object('Kernel arguments in the config, not those of the image.', {
        added: listOf(text),
        removed: listOf(text),
      }),
    }),
    'cluster?': object('The cluster of the config; unknown values are absent.', {
      'name?': text,
      'baseDomain?': text,
      'apiHost?': text,
      'releaseImage?': text,
      'releaseVersion?': text,
      'architecture?': text,
      'createdBy?': text,
    }),
    'certificates?': listOf({ $ref: '#/$defs/certificate' }),
  }),
  why: object('Output of `why` and `fleet why`, with one answer for each output of the given name.', {
    ...common,
    answers: listOf(
      object('Origin of an output.', {
        output: text,
        'nodePath?': { ...text, description: 'Path on the node, for a file within an Ignition config.' },
        asset: { ...text, description: 'The asset that first contains it.' },
        assetChain: {
          ...listOf(text),
          description: 'Assets from `asset` to the one that writes the output.',
        },
        'template?': { ...text, description: 'The identical file in templates/.' },
        loops: listOf(text),
        origins: listOf(
          object('The inputs of an asset; the first item is `asset`, followed by its dependencies.', {
            asset: text,
            fields: listOf(
              object('A config field. `line` is absent if the file does not contain the field.', {
                file: text,
                field: text,
                'line?': whole,
                'value?': { ...text, description: 'The value of a reference such as `pullSecretFile`.' },
                'layer?': object('In a fleet, the layer that sets the value.', {
                  kind: oneOf('base', 'class', 'override', 'table', 'column', 'variable', 'secret'),
                  'name?': text,
                  'usedAt?': {
                    ...text,
                    description: 'Place of the placeholder that uses the column, the variable or the secret.',
                  },
                }),
              }),
            ),
            files: listOf(text),
            'sources?': {
              type: 'object',
              description: 'In a fleet, the files of the layers that each of `files` consists of.',
              additionalProperties: listOf(text),
            },
            generatedValues: listOf(text),
            environment: listOf(text),
          }),
        ),
      }),
    ),
  }),
  certs: object(
    'Output of `certs`. The list is present even with problems; `ok` is false if there are errors.',
    {
      ...common,
      certificates: listOf({ $ref: '#/$defs/certificate' }),
    },
  ),
  golden: object(
    'Output of `golden`: the folder of the tree, its sites (empty for a single site) and the number of its files.',
    {
      ...common,
      tree: text,
      sites: listOf(text),
      files: whole,
    },
  ),
  verify: object('Output of `verify`. Differences are in `problems`.', {
    ...common,
    'payloads?': listOf(
      object('A payload. `release` is present if it is whole.', {
        path: text,
        ok: yes,
        'release?': payloadRelease,
      }),
    ),
    receipts: listOf(
      object('A valid receipt.', {
        path: text,
        ok: yes,
        target: { ...text, description: 'Target name, as in `create TARGET`.' },
        cluster: object('The cluster and its generated IDs.', {
          name: text,
          baseDomain: text,
          'clusterID?': text,
          'infraID?': text,
        }),
        program: object('The version of sno-install that generated the outputs.', {
          version: text,
          'build?': hex,
        }),
        issued: time,
        'signature?': object('A valid signature. `signer` is present with `--signer`.', {
          key: text,
          'signer?': text,
        }),
        outputs: listOf(text),
        inputs: listOf(text),
        'payloadIs?': {
          ...text,
          description:
            'Such as `on this medium` or `not on this medium`, for an unchanged ISO with a payload.',
        },
        'liveIso?': object(
          'Only for an image: its base ISO, and whether the ISO was available for the comparison.',
          {
            name: text,
            bytes: whole,
            sha256: hex,
            'architecture?': text,
            'release?': text,
            isCompared: yes,
          },
        ),
        'payload?': object(
          'Only for an image with a payload: the version of its release, and the hash of its file system.',
          { release: text, sha256: hex },
        ),
      }),
    ),
  }),
  diff: object('Output of `diff` and `golden --check`. `ok` is true if there are no differences.', {
    ...common,
    equal: yes,
    differences: listOf({ $ref: '#/$defs/difference' }),
  }),
  diffSheet: object('Output of `diff --sheet`. `ok` is true if no line has changed.', {
    ...common,
    equal: yes,
    changedLines: listOf(
      object('A row of the sheet with other values; a side without the row has no values.', {
        section: text,
        name: text,
        label: text,
        'before?': listOf(text),
        'after?': listOf(text),
      }),
    ),
  }),
  iso: object('Output of `create single-node-iso`: the image and the size of the config in it.', {
    ...common,
    path: text,
    liveIso: object('The live ISO; without `release` if its volume ID does not show it.', {
      path: text,
      'volume?': text,
      'release?': text,
    }),
    'receipt?': text,
    embedded: object('Size after compression.', { bytes: whole, isExact: yes, limitBytes: whole }),
    'rootfs?': object(
      'Only for a minimal image: URL of its root file system, and the file of `--rootfs-out`.',
      {
        url: text,
        'file?': text,
      },
    ),
    bootableUntil: time,
  }),
  pxe: object('Output of `create single-node-pxe`: the written files and the URLs for the boot loader.', {
    ...common,
    files: listOf(text),
    receipt: text,
    urls: object('URLs of the live system and of the overlay with the config.', {
      kernel: text,
      initrd: text,
      rootfs: text,
      overlay: text,
    }),
    bootableUntil: time,
  }),
  path: object(
    'Output of `create install-config`, `create sno-config`, `enrich` and `state`: the written file.',
    {
      ...common,
      path: text,
      'plainFiles?': {
        ...listOf(text),
        description: 'For `state encrypt`: files of the directory with secrets in plain text.',
      },
    },
  ),
  fleetInit: object('Output of `fleet init`: the folder and the written files.', {
    ...common,
    dir: text,
    files: listOf(text),
  }),
  prune: object('Output of `state prune`: the state file and the labels of the removed keys.', {
    ...common,
    path: text,
    keys: listOf(text),
  }),
  validate: object('Output of `validate`. `ok` of a directory is false if it has errors.', {
    ...common,
    directories: listOf(object('A directory.', { dir: text, ok: yes })),
  }),
  fleet: object(
    'Output of `fleet validate`: problems with their sites. `ok` of a site is false if it has errors.',
    {
      ok: yes,
      problems: listOf({ $ref: '#/$defs/siteProblem' }),
      sites: listOf(object('A site in the table.', { name: text, ok: yes })),
    },
  ),
  fleetCreate: object('Output of `fleet create`: the result for each selected site.', {
    ok: yes,
    problems: listOf({ $ref: '#/$defs/siteProblem' }),
    sites: listOf(
      object('A site in the table.', {
        name: text,
        result: oneOf('created', 'unchanged', 'failed', 'not-started'),
        'keptKeys?': {
          ...yes,
          description:
            'For a site with the result `created`: whether it existed before, so its keys are the same.',
        },
        'bootableUntil?': time,
        'receipt?': { ...hex, description: 'SHA-256 of the receipt.' },
        'iso?': object('The ISO of the site, with `--iso`.', {
          path: text,
          writtenBytes: { ...whole, description: '0 if the ISO was up to date.' },
        }),
      }),
    ),
  }),
  fleetCollect: object(
    'Output of `fleet collect`: the result for each site. `ok` is true if all sites are collected and up to date.',
    {
      ok: yes,
      problems: listOf({ $ref: '#/$defs/siteProblem' }),
      sites: listOf(
        object('A site in the table.', {
          name: text,
          result: oneOf('collected', 'unchanged', 'stale', 'missing', 'failed'),
          'bootableUntil?': time,
          'receipt?': { ...hex, description: 'SHA-256 of the receipt.' },
        }),
      ),
    },
  ),
  fleetPack: object('Output of `fleet pack`. `ok` is true if the packs are in the store.', {
    ok: yes,
    problems: listOf({ $ref: '#/$defs/siteProblem' }),
    'shards?': whole,
    'sites?': whole,
    'fleetId?': { ...text, description: 'For `--fleet-id`.' },
    'uploaded?': { ...whole, description: 'Number of packs that the store did not have.' },
    'uploadedBytes?': whole,
  }),
  fleetJob: object('Output of `fleet job`: the objects to create, and the Secrets that they refer to.', {
    ...common,
    objects: listOf({ type: 'object', description: 'A Kubernetes object.' }),
    secrets: listOf(
      object('A Secret that must exist before.', {
        name: text,
        keys: listOf(
          object('A key of the Secret.', {
            key: text,
            from: { ...text, description: '`env:NAME`, or a description.' },
          }),
        ),
      }),
    ),
    isApplied: yes,
  }),
  fleetStatus: object('Output of `fleet status`. `ok` is true if all sites are up to date.', {
    ok: yes,
    problems: listOf({ $ref: '#/$defs/siteProblem' }),
    sites: listOf(
      object('A site in the table.', {
        name: text,
        status: oneOf('current', 'stale', 'missing', 'failed'),
        'reason?': {
          ...oneOf(
            'inputs-changed',
            'program-changed',
            'certificates-not-valid',
            'interrupted',
            'inputs-unknown',
            'record-untrusted',
            'output-missing',
            'output-changed',
          ),
          description: 'Reason to generate the site again.',
        },
        'path?': { ...text, description: 'The missing or changed output.' },
        'bootableUntil?': time,
        'receipt?': { ...hex, description: 'SHA-256 of the receipt.' },
        'problems?': { ...listOf({ $ref: '#/$defs/code' }), description: 'Problem codes of the last run.' },
        'iso?': object('The ISO of the site, if it has a payload or should have one.', {
          'payload?': isoPayload('The payload that the ISO contains.'),
          'expected?': isoPayload(
            'The payload that the site installs from, if the ISO has another one or none. The former makes `ok` false.',
          ),
        }),
      }),
    ),
    unknownFolders: { ...listOf(text), description: 'Output folders that do not belong to a site.' },
  }),
  fleetGolden: object(
    'Output of `fleet golden` and `fleet render`: the folder of the tree, its sites and the number of its files.',
    {
      ok: yes,
      problems: someOfSites,
      'tree?': text,
      'sites?': listOf(text),
      'files?': whole,
    },
  ),
  fleetDiff: object(
    'Output of `fleet diff` and `fleet golden --check`. `ok` is true if there are no differences.',
    {
      ok: yes,
      problems: someOfSites,
      equal: yes,
      compared: { ...whole, description: 'Number of sites that were compared.' },
      notCompared: listOf(
        object('Sites that cannot be read on one side.', {
          sites: listOf(text),
          reason: { ...text, description: 'Message of the first error.' },
        }),
      ),
      added: listOf(text),
      addedSheets: {
        ...listOf(object('The sheet of an added site.', { site: text, sheet: { $ref: '#/$defs/sheet' } })),
        description: 'Sheets of the first 20 added sites. Only a comparison of two fleets has them.',
      },
      removed: listOf(text),
      constants: {
        ...listOf({ $ref: '#/$defs/difference' }),
        description: 'Differences in constant files of sno-install, which are the same for all sites.',
      },
      groups: listOf(
        object(
          'Sites with the same differences. Values that differ between them are replaced by `${name}`.',
          {
            sites: listOf(text),
            differences: listOf({ $ref: '#/$defs/difference' }),
          },
        ),
      ),
    },
  ),
  fleetCerts: object('Output of `fleet certs`. The lists are present even with problems.', {
    ok: yes,
    problems: someOfSites,
    groups: listOf(
      object(
        'Certificates that expire on the same day in the same sites. The group that expires first is first.',
        {
          day: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$' },
          status: {
            ...oneOf('expired', 'not-yet-valid', 'expiring', 'valid'),
            description: '`expiring` is used only with `--warn-before`.',
          },
          earliestNotAfter: { ...time, description: 'The earliest expiry date in the group.' },
          latestNotAfter: time,
          latestNotBefore: { ...time, description: 'The latest `notBefore` in the group.' },
          secondsLeft: {
            type: 'integer',
            description: 'Time until `earliestNotAfter`; negative if it is in the past.',
          },
          sites: listOf(text),
          certificates: listOf(
            object('A certificate that each of the sites has.', { name: text, 'use?': text }),
          ),
        },
      ),
    ),
    sites: listOf(
      object('A site with readable outputs.', {
        name: text,
        certificates: whole,
        'firstToExpire?': object('The certificate that expires first.', {
          name: text,
          'use?': text,
          notBefore: time,
          notAfter: time,
        }),
      }),
    ),
  }),
  boot: object('Output of `fleet boot`: problems with their sites, and the result for each site.', {
    ok: yes,
    problems: listOf({ $ref: '#/$defs/siteProblem' }),
    sites: listOf(
      object('A site, in the order of the table.', {
        name: text,
        bmc,
        state: oneOf('planned', 'ready', 'booted', 'ejected', 'skipped', 'failed', 'stopped', 'not-started'),
        message: { ...text, description: 'Description of the state; not stable.' },
      }),
    ),
  }),
  rollout: object(
    'Output of `fleet rollout`, `fleet reinstall` and `fleet upgrade`: the state file, with the sites as a list.',
    {
      ok: yes,
      problems: listOf({ $ref: '#/$defs/siteProblem' }),
      operation: oneOf('apply', 'boot', 'reinstall', 'upgrade'),
      until: text,
      plan: { ...text, description: 'SHA-256 of the plan.' },
      state: oneOf('running', 'waiting', 'interrupted', 'stopped', 'complete'),
      startedAt: time,
      updatedAt: time,
      'message?': { ...text, description: 'Why it stopped, or what it waits for; not stable.' },
      waves: listOf(
        object('A wave, in the order of the rollout.', {
          name: text,
          state: oneOf('pending', 'running', 'done', 'failed'),
          'startedAt?': time,
          'finishedAt?': time,
        }),
      ),
      sites: listOf(
        object('A site.', {
          name: text,
          'wave?': text,
          state: oneOf('held', 'pending', 'starting', 'waiting', 'done', 'failed'),
          'startedAt?': time,
          'bootedAt?': { ...time, description: 'Time of the successful start.' },
          'finishedAt?': time,
          attempts: { type: 'number' },
          'status?': { ...text, description: 'Last status; not stable.' },
          'cause?': { ...text, description: 'Reason of a failure; not stable.' },
        }),
      ),
    },
  ),
  fleetReport: object('Output of `fleet report`: the sites that are not installed, failed ones first.', {
    ok: yes,
    problems: listOf({ $ref: '#/$defs/problem' }),
    others: { ...whole, description: 'Selected sites that are done, not started or on hold.' },
    sites: listOf(
      object('A site.', {
        name: text,
        status: oneOf('installed', 'waiting', 'failed'),
        reason: { ...text, description: 'Why; not stable.' },
        next: { ...text, description: 'What to do; not stable.' },
        'command?': { ...text, description: 'The command of the step.' },
        'rollout?': object('Its place in the newest rollout, reinstallation or upgrade.', {
          operation: oneOf('apply', 'boot', 'reinstall', 'upgrade'),
          until: text,
          'wave?': text,
          state: oneOf('starting', 'waiting', 'failed'),
          'startedAt?': time,
          'bootedAt?': time,
          'finishedAt?': time,
          attempts: { type: 'number' },
          'status?': text,
          'cause?': text,
        }),
        'boot?': object('Its entry in boot.json.', {
          state: oneOf('starting', 'booted', 'ejected'),
          updatedAt: time,
        }),
        'medium?': object('Its requests to `serve`.', {
          sentBytes: { ...whole, description: 'Bytes of the medium that were sent at least once.' },
          mediumBytes: { ...whole, description: 'Size of the medium; 0 if only other files were requested.' },
          lastFile: text,
          lastAt: time,
        }),
        'node?': object('The last report of the node since its boot.', {
          message: text,
          receivedAt: time,
          isFailing: { type: 'boolean' },
        }),
        api: { ...text, description: 'The answer of its API; not stable.' },
        'bmc?': { ...text, description: 'The answer of its BMC; not stable.' },
        'bundle?': object('The newest log bundle from after its start.', { path: text, 'finding?': text }),
      }),
    ),
  }),
  rolloutPlan: object('Output of `fleet rollout --dry-run` and `fleet upgrade --dry-run`.', {
    ok: yes,
    problems: listOf({ $ref: '#/$defs/siteProblem' }),
    operation: oneOf('apply', 'boot', 'reinstall', 'upgrade'),
    until: text,
    waves: listOf(
      object('A wave, in the order of the rollout.', {
        name: text,
        sites: listOf(text),
        failureLimit: { type: 'number' },
        done: { type: 'number' },
        failed: { type: 'number' },
        waiting: { type: 'number' },
      }),
    ),
    held: listOf(text),
    'windowOpensAt?': { ...time, description: 'Absent if sites may start now.' },
  }),
  reinstallCheck: object('Output of `fleet reinstall --check`.', {
    ok: yes,
    problems: listOf({ $ref: '#/$defs/siteProblem' }),
    keys: oneOf('keep', 'renew'),
    sites: listOf(
      object('A site that would be installed again.', {
        name: text,
        bmc,
        kept: {
          ...listOf(text),
          description: 'Labels and numbers of partitions; empty if the disk is erased.',
        },
      }),
    ),
  }),
  discover: object(
    'Output of `fleet discover`: problems with their sites, and the machine of each site with the values for its empty cells.',
    {
      ok: yes,
      problems: listOf({ $ref: '#/$defs/siteProblem' }),
      sites: listOf(
        object('A site, in the order of the table.', {
          name: text,
          bmc,
          state: {
            ...oneOf('read', 'different', 'failed', 'stopped', 'not-started'),
            description: '`different` if a cell has a value that the machine does not have.',
          },
          'message?': { ...text, description: 'Why there is no machine; not stable.' },
          'machine?': object('The machine, as its BMC reports it. Unknown values are absent.', {
            system: { ...text, description: 'Redfish path of the ComputerSystem.' },
            'manufacturer?': text,
            'model?': text,
            'serialNumber?': text,
            'sku?': { ...text, description: 'On Dell machines the service tag.' },
            'biosVersion?': text,
            'bmcModel?': text,
            'bmcVersion?': text,
            'bootMode?': oneOf('uefi', 'legacy'),
            'power?': text,
            networkInterfaces: listOf(
              object('A network interface.', {
                id: text,
                mac: text,
                link: oneOf('up', 'down', 'unknown'),
                'speedMbps?': { type: 'number' },
              }),
            ),
            disks: listOf(
              object('A drive, or a volume of a RAID controller.', {
                kind: oneOf('drive', 'volume'),
                id: text,
                'name?': text,
                'manufacturer?': text,
                'model?': text,
                'serialNumber?': text,
                'bytes?': { type: 'number' },
                'media?': { ...text, description: '`HDD`, `SSD` or another MediaType of Redfish.' },
                'protocol?': text,
                links: { ...listOf(text), description: 'Links in /dev/disk/by-id, from the identifiers.' },
                'linkFault?': {
                  ...text,
                  description: 'Why the identifiers of the BMC lead to no link; not stable.',
                },
                isMember: { ...yes, description: 'The drive belongs to a volume.' },
              }),
            ),
            unread: listOf(
              object('A part that the BMC did not return; the lists may be incomplete.', {
                part: oneOf('network-interfaces', 'disks', 'firmware', 'boot-mode'),
                reason: text,
              }),
            ),
          }),
          proposals: listOf(
            object('A value for an empty cell or a missing column.', { column: text, value: text }),
          ),
        }),
      ),
      'filled?': { ...whole, description: 'Number of filled cells, with `--write`.' },
    },
  ),
  import: object(
    'Output of `import`: the site (with `--fleet` all sites), the target folder, the files written to it, the files that contain the pull secret in plain text (`secrets`), and the skipped manifests that sno-install generates itself (`generated`). Settings without an equivalent are in `problems`.',
    {
      ...common,
      problems: someOfSites,
      'site?': text,
      'sites?': listOf(text),
      dir: text,
      files: listOf(text),
      secrets: listOf(text),
      'generated?': listOf(text),
      'policies?': listOf(text),
      'objects?': object('Objects of the policies, and those that were imported.', {
        found: whole,
        imported: whole,
      }),
      'layers?': listOf(
        object('A folder of the fleet, and the labels of its clusters. An empty value means any value.', {
          folder: text,
          labels: { type: 'object', additionalProperties: text },
        }),
      ),
    },
  ),
  serve: object('Output of `serve`, printed when the server is ready.', {
    ...common,
    url: text,
    sites: whole,
    comparesMedia: {
      ...yes,
      description: 'Whether outdated media are recognized: the sites are those of a fleet in folders.',
    },
    'authority?': { $ref: '#/$defs/servingAuthority' },
  }),
  urls: object('Output of `serve --print-urls`. The URLs are secrets.', {
    ...common,
    sites: listOf(object('A site.', { name: text, iso: text, ipxe: text })),
    page: { ...text, description: 'URL of the status page; also a secret.' },
    metrics: object('The metrics; the token is a secret.', { url: text, token: text }),
    'authority?': { $ref: '#/$defs/servingAuthority' },
  }),
  revoked: object('Output of `serve --revoke` and `--revoke-page`.', {
    ...common,
    revoked: listOf(text),
    'page?': { const: 'revoked', description: 'Present if the URL of the status page was revoked.' },
  }),
  images: object('Output of `images`.', {
    ...common,
    images: listOf(
      object('An image. `image` is absent if only the release payload contains the pull spec.', {
        name: text,
        'image?': text,
        'digest?': text,
        usedBy: listOf(text),
      }),
    ),
    files: listOf(
      object('A file that Ignition downloads. One of the two hashes is present.', {
        path: text,
        url: text,
        'sha256?': text,
        'sha512?': text,
      }),
    ),
  }),
  preflight: object(
    'Output of `preflight`. `ok` is false if there are errors; `answers` is present even then.',
    {
      ...common,
      answers: listOf(
        object('A query and its answer. `code` is the problem code, if there is a problem.', {
          kind: oneOf('dns', 'registry', 'time'),
          question: text,
          answer: text,
          verdict: oneOf('ok', 'warning', 'error'),
          'code?': { $ref: '#/$defs/code' },
        }),
      ),
      differences: listOf({
        ...text,
        description: 'A condition of this machine that may differ on the node, as a sentence.',
      }),
    },
  ),
  graph: object('Output of `graph`.', {
    ...common,
    graph: object('The assets of a target.', {
      target: text,
      roots: listOf(text),
      assets: listOf(
        object('An asset and its dependencies.', {
          name: text,
          dependencies: listOf(text),
          'steps?': listOf(text),
        }),
      ),
    }),
  }),
  explainedCode: object('Output of `explain` with a problem code.', {
    ...common,
    code: { $ref: '#/$defs/code' },
    severity: { $ref: '#/$defs/severity' },
    description: text,
    reason: text,
    fix: text,
    'example?': text,
  }),
  explainedFault: object('Output of `explain` with a fault that `analyze` found.', {
    ...common,
    fault: object('The fault.', {
      id: text,
      title: text,
      cause: text,
      fix: text,
      'stages?': listOf(text),
    }),
  }),
  explainedField: object('Output of `explain` with a field.', {
    ...common,
    field: object('The field.', {
      file: text,
      path: text,
      type: text,
      description: text,
      required: yes,
      deprecated: yes,
      secret: yes,
      'default?': true,
      'example?': true,
      'values?': listOf(text),
      rules: listOf(
        object('A rule for the field, with its number in docs/config-rules.md.', {
          number: whole,
          file: text,
          fields: listOf(text),
          text,
          origin: text,
        }),
      ),
      fields: listOf(
        object('A child field.', {
          name: text,
          path: text,
          type: text,
          required: yes,
          deprecated: yes,
          description: text,
        }),
      ),
    }),
  }),
  explainedConfigs: object('Result of `explain` without a topic.', {
    ...common,
    configs: listOf({
      $ref: '#/$defs/explainedField/properties/field',
      description: 'A config with its top-level fields.',
    }),
  }),
  version: object('Output of `version`.', {
    ...common,
    version: text,
    defaultRelease: text,
    ignitionSpec: text,
    node: text,
  }),
  wait: object('Output of `wait-for`.', {
    ...common,
    condition: oneOf('bootstrap-complete', 'install-complete', 'post-install-complete', 'node-ready'),
    state: oneOf('reached', 'not-reached', 'stopped'),
    seconds: whole,
    kubeconfig: text,
    'version?': text,
    'consoleUrl?': text,
    'kubeadminPasswordFile?': text,
    'nodes?': listOf(text),
  }),
  apply: object(
    'Output of `apply`. `state` is `stopped` if the command was interrupted. The output of `--diff` is that of `diff`.',
    {
      ...common,
      state: oneOf('applied', 'not-applied', 'stopped'),
      'dryRun?': { ...yes, description: 'Only with `--dry-run`: nothing was changed.' },
      'seconds?': whole,
      objects: listOf(
        object('An object, in the order in which they are applied.', {
          wave: text,
          source: { ...text, description: 'File and number of the document.' },
          apiVersion: text,
          kind: text,
          'namespace?': text,
          name: text,
          state: oneOf(
            'created',
            'configured',
            'unchanged',
            'waiting',
            'failed',
            'not-applied',
            'not-checked',
          ),
          'message?': { ...text, description: 'The missing condition, or the answer of the API.' },
        }),
      ),
      removed: listOf(
        object('An object that must not exist.', {
          group: { ...text, description: 'Empty for core kinds.' },
          kind: text,
          'namespace?': text,
          name: text,
          state: {
            ...oneOf('deleted', 'released', 'absent', 'kept', 'leftover', 'failed'),
            description:
              '`released`: the object stays without the fields of earlier runs. `leftover`: `--prune` would delete it.',
          },
          'message?': text,
        }),
      ),
    },
  ),
  fleetDrift: object('Output of `fleet drift`. `ok` is true if every cluster was compared and is equal.', {
    ok: yes,
    problems: listOf({ $ref: '#/$defs/siteProblem' }),
    seconds: whole,
    sites: listOf(
      object('A site, in the order of the table.', {
        name: text,
        state: oneOf('equal', 'different', 'not-compared'),
        'objects?': { ...whole, description: 'Number of objects that differ.' },
        'differences?': listOf({ $ref: '#/$defs/difference' }),
        'message?': { ...text, description: 'Why the site could not be compared.' },
      }),
    ),
  }),
  fleetWait: object(
    'Output of `fleet wait-for`, of `fleet apply` with the condition `applied`, and of `fleet upgrade --preflight` with `upgrade-ready`. `ok` is true if all sites have reached the condition. `state` is `stopped` if the wait was interrupted.',
    {
      ok: yes,
      problems: listOf({ $ref: '#/$defs/siteProblem' }),
      condition: oneOf(
        'applied',
        'upgrade-ready',
        'bootstrap-complete',
        'install-complete',
        'post-install-complete',
        'node-ready',
      ),
      state: oneOf('reached', 'not-reached', 'stopped'),
      seconds: whole,
      sites: listOf(
        object('A site, in the order of the table.', {
          name: text,
          state: oneOf('reached', 'not-reached', 'stopped'),
          seconds: whole,
          'api?': {
            ...text,
            description: 'Last answer of the API of a site that has not reached the condition.',
          },
          'report?': object('Last status report of the node; informational.', {
            message: text,
            receivedAt: time,
            isFailing: yes,
          }),
          'version?': text,
          'consoleUrl?': text,
          'nodes?': listOf(text),
          'changes?': {
            ...text,
            description:
              'Number of applied objects by change; for an upgrade the current release. Not stable.',
          },
        }),
      ),
    },
  ),
  gather: object('Output of `gather`.', {
    ...common,
    bundle: object('The bundle.', { path: text, bytes: whole }),
  }),
  analyze: object('Output of `analyze`. `ok` is true if no stage has failed or will fail.', {
    ...common,
    bundle: text,
    verdict: text,
    phase: text,
    createdBy: text,
    'stage?': { $ref: '#/$defs/stage' },
    otherFailures: listOf({ $ref: '#/$defs/stage' }),
    faults: listOf({ $ref: '#/$defs/fault' }),
    notes: listOf({ $ref: '#/$defs/fault' }),
    failedUnits: listOf(text),
    readNext: listOf(text),
    bundleNotes: listOf(text),
  }),
};

const place = {
  file: { ...text, description: 'Path relative to the working directory.' },
  'path?': text,
  'line?': whole,
  'col?': whole,
  'length?': whole,
};
const problemMembers = {
  code: { $ref: '#/$defs/code' },
  severity: { $ref: '#/$defs/severity' },
  message: text,
  'at?': object(
    'Location of the problem. `line` and `col` start at 1; `length` is in UTF-16 code units.',
    place,
  ),
  'from?': object('The line of the template that uses the value.', place),
  'other?': object('Location of another value that contradicts the one at `at`.', place),
  'hint?': text,
  'asset?': text,
};

const parts = {
  code: oneOf(...Object.keys(problemCatalog)),
  severity: oneOf('error', 'warning'),
  problem: object('A problem with an input, an output or the environment.', problemMembers),
  servingAuthority: object('The authority of the server certificate.', { sha256: text, pem: text }),
  siteProblem: object('A problem of sites in a fleet. Problems with the same location are merged.', {
    ...problemMembers,
    sites: {
      ...listOf(text),
      description: 'Names of the affected sites; empty if the problem is not specific to sites.',
    },
  }),
  difference: object('A difference. Secrets are not included.', {
    configs: {
      ...listOf(text),
      description:
        'The configs with this difference, as paths in a tree; an empty string if it is not in a config.',
    },
    kind: oneOf(
      'sno-install',
      'config',
      'output',
      'user',
      'file',
      'unit',
      'folder',
      'link',
      'object',
      'certificate',
      'template',
      'sheet',
    ),
    name: text,
    change: oneOf('added', 'removed', 'changed', 'renamed'),
    'from?': { ...text, description: 'Only for a renamed item: its name before.' },
    details: listOf(
      object('A changed value, changed lines, or `hidden` if the values are not shown.', {
        field: text,
        'before?': text,
        'after?': text,
        'hidden?': { const: true },
        'also?': {
          ...listOf(text),
          description: 'Other items with the same difference, which is not repeated there.',
        },
        'sameAs?': {
          ...text,
          description: 'The item with the same added or removed text, which is not repeated here.',
        },
        'hunks?': listOf(
          object('A hunk of a diff. Each line starts with a space, `-` or `+`.', {
            beforeLine: whole,
            afterLine: whole,
            lines: listOf(text),
          }),
        ),
      }),
    ),
    'items?': {
      ...listOf(text),
      description: 'Only for a certificate: the files and objects that contain it.',
    },
  }),
  output: object('An output file.', {
    path: { ...text, description: 'Path relative to the directory.' },
    change: oneOf('written', 'unchanged', 'removed'),
    'bytes?': whole,
    'mode?': { type: 'string', pattern: '^0[0-7]{3}$' },
  }),
  stage: object('A stage of the installation.', {
    service: text,
    'stage?': text,
    state: text,
    'since?': text,
    'lastFailureAt?': text,
    failures: whole,
    'location?': text,
    'lastError?': text,
    lastLines: listOf(text),
  }),
  certificate: object('A certificate with all of its locations. Lists are sorted by expiry date.', {
    subject: text,
    issuer: text,
    serial: hex,
    notBefore: time,
    notAfter: time,
    secondsLeft: { type: 'integer', description: 'Negative if the certificate has expired.' },
    isCa: yes,
    'key?': object('Its public key. `sha256` is the hash of the SubjectPublicKeyInfo.', {
      type: text,
      sha256: hex,
    }),
    sha256: hex,
    usages: listOf(text),
    purposes: {
      ...listOf(text),
      description: '`server`, `client` or the OID of another extended key usage.',
    },
    names: listOf(text),
    'name?': { ...text, description: 'Name of the certificate in the cluster, if it is one of sno-install.' },
    'use?': text,
    'signer?': object('The certificate of the authority, if it is among the inspected files.', {
      subject: text,
      notAfter: time,
      sha256: hex,
    }),
    locations: listOf({ $ref: '#/$defs/certificateLocation' }),
    keyLocations: {
      ...listOf({ $ref: '#/$defs/certificateLocation' }),
      description: 'Locations of its private key.',
    },
  }),
  certificateLocation: object(
    'A location: a file, a path in its Ignition config, a field in its YAML or JSON.',
    {
      file: { ...text, description: 'Path relative to the working directory.' },
      'nodePath?': text,
      'field?': text,
    },
  ),
  sheet: {
    ...listOf(
      object('A section of the sheet. Sections without known values are left out.', {
        name: oneOf('machine', 'cluster', 'disk', 'network', 'services', 'objects', 'post-install', 'boot'),
        title: text,
        rows: listOf(
          object('A labelled value. Rows of one name, such as interface, differ in their labels.', {
            name: { type: 'string', pattern: '^[a-z]+(-[a-z]+)*$' },
            label: text,
            values: listOf(text),
          }),
        ),
      }),
    ),
    description:
      'The decisive values of a site. Unknown values are left out. Titles and labels are not stable.',
  },
  fault: object('A known fault, with its ID in docs/faults.md.', {
    id: text,
    title: text,
    unit: text,
    line: text,
    'time?': text,
    cause: text,
    fix: text,
  }),
};

export function outputSchemaDocument() {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: schemaUrl('output'),
    title: 'Output of sno-install with --output json',
    description: 'Generated by `npm run docs`. A single object: the output of the command, or of a failure.',
    anyOf: Object.keys(results).map((name) => ({ $ref: `#/$defs/${name}` })),
    $defs: { ...results, ...parts },
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
