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
const time = { type: 'string', format: 'date-time' };

const results = {
  failure: object('Of every command that met an error, the command line included.', common),
  create: object('Of `create` with a target, and of `render control-plane`.', {
    ...common,
    outputs: listOf({ $ref: '#/$defs/output' }),
    'embedded?': object('What embedding into the live ISO takes, in bytes after compression.', {
      bytes: whole,
      isExact: yes,
      limitBytes: whole,
    }),
    'bootableUntil?': time,
  }),
  tree: object('Of `render ignition`: the folder of the tree, and its files below it.', {
    ...common,
    tree: text,
    files: listOf(text),
  }),
  inspect: object('Of `inspect`; what is odd about the file is among the problems.', {
    ...common,
    path: text,
    kind: oneOf('ignition', 'iso', 'overlay'),
    'medium?': object('What only a live ISO or an initrd overlay has.', {
      files: listOf(object('A file for the initramfs.', { path: text, mode: fileMode, bytes: whole })),
      'iso?': object('What an ISO says of itself.', {
        volume: text,
        'machine?': text,
        'release?': text,
        'fetchedRoot?': object(
          'Of a minimal image: where it fetches its root from, where its kernel is told.',
          {
            'url?': text,
          },
        ),
        area: object('The room for a config.', { bytes: whole, usedBytes: whole }),
        'kernelArguments?': object('What its boot loaders give the kernel, and gave it at first.', {
          text,
          'original?': text,
        }),
      }),
    }),
    network: listOf(
      object('A keyfile of NetworkManager, in the config or beside it.', {
        path: text,
        'type?': text,
        'device?': text,
        settings: listOf(text),
      }),
    ),
    'config?': object('The Ignition config with those that stand in it.', {
      specVersion: text,
      bytes: whole,
      embedded: object('In bytes after compression.', { bytes: whole, isExact: yes, limitBytes: whole }),
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
          state: oneOf('enabled', 'disabled', 'masked', 'as it is'),
          hasText: yes,
          dropins: listOf(text),
        }),
      ),
      users: listOf(object('A user.', { name: text, sshKeys: listOf(text), hasPassword: yes })),
      kernelArguments: object('Of the config, not of an image.', {
        added: listOf(text),
        removed: listOf(text),
      }),
    }),
    'cluster?': object('For which cluster it is, as far as the config says.', {
      'name?': text,
      'baseDomain?': text,
      'apiHost?': text,
      'releaseImage?': text,
      'releaseVersion?': text,
      'architecture?': text,
      'madeBy?': text,
    }),
    'certificates?': listOf({ $ref: '#/$defs/certificate' }),
  }),
  why: object('Of `why`: an answer for each thing that is called so.', {
    ...common,
    answers: listOf(
      object('Why something is in the outputs.', {
        output: text,
        'inside?': { ...text, description: 'The path on the node, within an Ignition config.' },
        asset: { ...text, description: 'In whose value it stands first.' },
        way: { ...listOf(text), description: 'From that asset to the one that writes the output.' },
        'template?': { ...text, description: 'The file of templates/ that it is, byte for byte.' },
        loops: listOf(text),
        origins: listOf(
          object('What an asset took: that one first, then those that it needs.', {
            asset: text,
            fields: listOf(
              object('A field; without a line, it is not written in the file.', {
                file: text,
                field: text,
                'line?': whole,
                'names?': { ...text, description: 'Of a reference: what it says.' },
              }),
            ),
            files: listOf(text),
            draws: listOf(text),
            environment: listOf(text),
          }),
        ),
      }),
    ),
  }),
  certs: object('Of `certs`, whose list is there whatever its problems; `ok` says that there is no error.', {
    ...common,
    certificates: listOf({ $ref: '#/$defs/certificate' }),
  }),
  golden: object(
    'Of `golden`: the folder of the tree, its sites (empty for the one in `--dir`), and how many files it has.',
    {
      ...common,
      tree: text,
      sites: listOf(text),
      files: whole,
    },
  ),
  verify: object('Of `verify`; what is no longer so is among the problems.', {
    ...common,
    receipts: listOf(
      object('A receipt that can be used.', {
        path: text,
        ok: yes,
        target: { ...text, description: 'As it stands behind `create`.' },
        cluster: object('The cluster, and the ids that were drawn for it.', {
          name: text,
          baseDomain: text,
          'clusterID?': text,
          'infraID?': text,
        }),
        program: object('What made the outputs.', { version: text, 'build?': hex }),
        issued: time,
        'signature?': object('One that holds; whose key it is, where that was asked.', {
          key: text,
          'signer?': text,
        }),
        outputs: listOf(text),
        inputs: listOf(text),
        'liveIso?': object('Of a medium: what it was made of, and whether it was there to be compared.', {
          name: text,
          bytes: whole,
          sha256: hex,
          'architecture?': text,
          'release?': text,
          isCompared: yes,
        }),
      }),
    ),
  }),
  diff: object('Of `diff` and `golden --check`; `ok` says that nothing differs.', {
    ...common,
    equal: yes,
    differences: listOf({ $ref: '#/$defs/difference' }),
  }),
  iso: object('Of `create single-node-iso`: the image, and what of its room the config takes.', {
    ...common,
    path: text,
    'receipt?': text,
    embedded: object('In bytes after compression.', { bytes: whole, isExact: yes, limitBytes: whole }),
    'rootfs?': object(
      'Of a minimal image: where it fetches its root from, and the file that was asked for.',
      {
        url: text,
        'file?': text,
      },
    ),
    bootableUntil: time,
  }),
  pxe: object('Of `create single-node-pxe`: what was written, and what a machine loads from where.', {
    ...common,
    files: listOf(text),
    receipt: text,
    urls: object('URLs of the live system, and of the overlay with the config.', {
      kernel: text,
      initrd: text,
      rootfs: text,
      overlay: text,
    }),
    bootableUntil: time,
  }),
  path: object('Of `create install-config`, `create sno-config` and `state`: the file that was written.', {
    ...common,
    path: text,
  }),
  prune: object('Of `state prune`: the file, and the labels of the keys that were taken out.', {
    ...common,
    path: text,
    keys: listOf(text),
  }),
  validate: object('Of `validate`: whether each directory is free of errors.', {
    ...common,
    directories: listOf(object('A directory.', { dir: text, ok: yes })),
  }),
  fleet: object(
    'Of `fleet validate`: what each problem is of which sites, and whether each is free of errors.',
    {
      ok: yes,
      problems: listOf({ $ref: '#/$defs/siteProblem' }),
      sites: listOf(object('A site of the table.', { name: text, ok: yes })),
    },
  ),
  fleetCreate: object('Of `fleet create`: what became of each site that was meant, whatever its problems.', {
    ok: yes,
    problems: listOf({ $ref: '#/$defs/siteProblem' }),
    sites: listOf(
      object('A site of the table.', {
        name: text,
        result: oneOf('made', 'unchanged', 'failed', 'not-begun'),
        'bootableUntil?': time,
        'receipt?': { ...hex, description: 'SHA-256 of its receipt.' },
      }),
    ),
  }),
  fleetCollect: object(
    'Of `fleet collect`: what came of each site; `ok` says that each is there and as the fleet asks.',
    {
      ok: yes,
      problems: listOf({ $ref: '#/$defs/siteProblem' }),
      sites: listOf(
        object('A site of the table.', {
          name: text,
          result: oneOf('collected', 'unchanged', 'stale', 'missing', 'failed'),
          'bootableUntil?': time,
          'receipt?': { ...hex, description: 'SHA-256 of its receipt.' },
        }),
      ),
    },
  ),
  fleetJob: object('Of `fleet job`: what is to be created, and the Secrets that it refers to.', {
    ...common,
    objects: listOf({ type: 'object', description: 'An object of Kubernetes.' }),
    secrets: listOf(
      object('A Secret that has to be there before.', {
        name: text,
        keys: listOf(
          object('A key of it.', {
            key: text,
            from: { ...text, description: 'A file of the fleet, or `env:` and a variable.' },
          }),
        ),
      }),
    ),
    isApplied: yes,
  }),
  fleetStatus: object('Of `fleet status`; `ok` says that every site is as its files ask.', {
    ok: yes,
    problems: listOf({ $ref: '#/$defs/siteProblem' }),
    sites: listOf(
      object('A site of the table.', {
        name: text,
        is: oneOf('current', 'stale', 'missing', 'failed'),
        'why?': {
          ...oneOf('inputs', 'program', 'ended', 'interrupted', 'unknown', 'output-gone', 'output-changed'),
          description: 'What is to be mended by making it again.',
        },
        'path?': { ...text, description: 'The output that is gone or was changed.' },
        'bootableUntil?': time,
        'receipt?': { ...hex, description: 'SHA-256 of its receipt.' },
        'problems?': { ...listOf({ $ref: '#/$defs/code' }), description: 'What the last run found.' },
      }),
    ),
    strange: { ...listOf(text), description: 'Folders among the outputs that are those of no site.' },
  }),
  fleetGolden: object(
    'Of `fleet golden` and `fleet render`: the folder of the tree, its sites, and how many files it has.',
    {
      ok: yes,
      problems: someOfSites,
      'tree?': text,
      'sites?': listOf(text),
      'files?': whole,
    },
  ),
  fleetDiff: object('Of `fleet diff` and `fleet golden --check`; `ok` says that nothing differs.', {
    ok: yes,
    problems: someOfSites,
    equal: yes,
    compared: { ...whole, description: 'How many sites are on both sides.' },
    added: listOf(text),
    removed: listOf(text),
    constants: {
      ...listOf({ $ref: '#/$defs/difference' }),
      description: 'Of constant files of sno-install, which all sites share.',
    },
    groups: listOf(
      object('What differs in the same way; of several sites their values stand in it as `${name}`.', {
        sites: listOf(text),
        differences: listOf({ $ref: '#/$defs/difference' }),
      }),
    ),
  }),
  fleetCerts: object('Of `fleet certs`, whose list is there whatever its problems.', {
    ok: yes,
    problems: someOfSites,
    groups: listOf(
      object('Certificates that end on one day in the same sites; the group that ends first comes first.', {
        day: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$' },
        stands: {
          ...oneOf('ended', 'not-begun', 'ends-soon', 'holds'),
          description: 'Without `--warn-before` none ends soon.',
        },
        first: { ...time, description: 'When the first of them ends, in whichever site.' },
        last: time,
        begins: { ...time, description: 'The latest beginning.' },
        secondsLeft: { type: 'integer', description: 'Until the first ends; below zero once it has.' },
        sites: listOf(text),
        certificates: listOf(object('One in each of the sites.', { name: text, 'use?': text })),
      }),
    ),
    sites: listOf(
      object('A site whose outputs could be read.', {
        name: text,
        certificates: whole,
        'first?': object('The one that ends first.', {
          name: text,
          'use?': text,
          notBefore: time,
          notAfter: time,
        }),
      }),
    ),
  }),
  boot: object('Of `fleet boot`: what each problem is of which sites, and what came of each site.', {
    ok: yes,
    problems: listOf({ $ref: '#/$defs/siteProblem' }),
    sites: listOf(
      object('A site, in the order of the table.', {
        name: text,
        bmc: { ...text, description: 'Host and port.' },
        state: oneOf('planned', 'ready', 'booted', 'ejected', 'skipped', 'failed', 'stopped', 'left'),
        words: { ...text, description: 'For people.' },
      }),
    ),
  }),
  import: object(
    'Of `import`: the site (with `--fleet` all sites), the folder that it went to, its files below it, those of them that hold the pull secret in plain text, and the manifests that are made anew and were left out. What has no place is among the problems.',
    {
      ...common,
      problems: someOfSites,
      'site?': text,
      'sites?': listOf(text),
      dir: text,
      files: listOf(text),
      secrets: listOf(text),
      'generated?': listOf(text),
    },
  ),
  serve: object('Of `serve`, as soon as it serves.', {
    ...common,
    url: text,
    sites: whole,
    'authority?': { $ref: '#/$defs/servingAuthority' },
  }),
  urls: object('Of `serve --print-urls`: the URLs are secrets.', {
    ...common,
    sites: listOf(object('A site.', { name: text, iso: text, ipxe: text })),
    page: { ...text, description: 'URL of the page for people: a secret, too.' },
    'authority?': { $ref: '#/$defs/servingAuthority' },
  }),
  revoked: object('Of `serve --revoke` and `--revoke-page`.', {
    ...common,
    revoked: listOf(text),
    'page?': { const: 'revoked', description: 'Where the URL of the page was taken back.' },
  }),
  images: object('Of `images`.', {
    ...common,
    images: listOf(
      object('An image; `image` is absent when only the payload says it.', {
        name: text,
        'image?': text,
        'digest?': text,
        usedBy: listOf(text),
      }),
    ),
    files: listOf(
      object('A file that Ignition fetches; one of the hashes is there, in hex.', {
        path: text,
        url: text,
        'sha256?': text,
        'sha512?': text,
      }),
    ),
  }),
  preflight: object(
    'Of `preflight`; `ok` says that nothing would fail. The answers are there whatever is wrong with some.',
    {
      ...common,
      answers: listOf(
        object('A question with its answer; `code` is that of the problem with it.', {
          about: oneOf('dns', 'registry', 'time'),
          question: text,
          answer: text,
          verdict: oneOf('ok', 'warning', 'error'),
          'code?': { $ref: '#/$defs/code' },
        }),
      ),
      differences: listOf({ ...text, description: 'What the node may see differently, as a sentence.' }),
    },
  ),
  graph: object('Of `graph`.', {
    ...common,
    graph: object('The assets of a target.', {
      target: text,
      roots: listOf(text),
      assets: listOf(
        object('An asset and what it needs.', { name: text, needs: listOf(text), 'steps?': listOf(text) }),
      ),
    }),
  }),
  explainedCode: object('Of `explain` with a problem code.', {
    ...common,
    code: { $ref: '#/$defs/code' },
    severity: { $ref: '#/$defs/severity' },
    fault: text,
    why: text,
    fix: text,
    'example?': text,
  }),
  explainedField: object('Of `explain` with a field.', {
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
        object('A rule on it, by its number in docs/config-rules.md.', {
          number: whole,
          file: text,
          fields: listOf(text),
          text,
          origin: text,
        }),
      ),
      fields: listOf(
        object('A field below it.', {
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
  version: object('Of `version`.', {
    ...common,
    version: text,
    defaultRelease: text,
    ignitionSpec: text,
    node: text,
  }),
  wait: object('Of `wait-for`.', {
    ...common,
    condition: oneOf('bootstrap-complete', 'install-complete', 'node-ready'),
    state: oneOf('reached', 'not-reached', 'stopped'),
    seconds: whole,
    kubeconfig: text,
    'version?': text,
    'consoleUrl?': text,
    'kubeadminPasswordFile?': text,
    'nodes?': listOf(text),
  }),
  fleetWait: object(
    'Of `fleet wait-for`; `ok` says that every site is there, `state` is `stopped` where some are still waited for.',
    {
      ok: yes,
      problems: listOf({ $ref: '#/$defs/siteProblem' }),
      condition: oneOf('bootstrap-complete', 'install-complete', 'node-ready'),
      state: oneOf('reached', 'not-reached', 'stopped'),
      seconds: whole,
      sites: listOf(
        object('A site, in the order of the table.', {
          name: text,
          state: oneOf('reached', 'not-reached', 'stopped'),
          seconds: whole,
          'api?': { ...text, description: 'What its API said last, of one that is not there.' },
          'report?': object('What its node reported last, which proves nothing.', {
            word: text,
            heardAt: time,
            isFailing: yes,
          }),
          'version?': text,
          'consoleUrl?': text,
          'nodes?': listOf(text),
        }),
      ),
    },
  ),
  gather: object('Of `gather`.', { ...common, bundle: object('The bundle.', { path: text, bytes: whole }) }),
  analyze: object('Of `analyze`; `ok` says that no stage failed or will fail.', {
    ...common,
    bundle: text,
    verdict: text,
    phase: text,
    madeBy: text,
    'at?': { $ref: '#/$defs/stage' },
    others: listOf({ $ref: '#/$defs/stage' }),
    faults: listOf({ $ref: '#/$defs/fault' }),
    notes: listOf({ $ref: '#/$defs/fault' }),
    failedUnits: listOf(text),
    readNext: listOf(text),
    remarks: listOf(text),
  }),
};

const place = {
  file: { ...text, description: 'From the working directory.' },
  'path?': text,
  'line?': whole,
  'col?': whole,
  'length?': whole,
};
const problemMembers = {
  code: { $ref: '#/$defs/code' },
  severity: { $ref: '#/$defs/severity' },
  message: text,
  'at?': object('Where. `line` and `col` count from 1, `length` in UTF-16 units of that line.', place),
  'from?': object('The line of a template that takes the value.', place),
  'hint?': text,
  'asset?': text,
};

const parts = {
  code: oneOf(...Object.keys(problemCatalog)),
  severity: oneOf('error', 'warning'),
  problem: object(
    'Something that is wrong with an input, an output or the place they live in.',
    problemMembers,
  ),
  servingAuthority: object('What signs the certificate that the server shows.', { sha256: text, pem: text }),
  siteProblem: object('The same of sites of a fleet, once for all that have it from one place.', {
    ...problemMembers,
    sites: { ...listOf(text), description: 'Empty for what is no matter of one site.' },
  }),
  difference: object('Something that differs. No secret is in it.', {
    in: {
      ...listOf(text),
      description: 'The configs in which it is so, as paths of a tree; an empty text for what is in none.',
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
    ),
    name: text,
    change: oneOf('added', 'removed', 'changed'),
    details: listOf(
      object('What of it: a value before and after, lines, or that it differs in what is not shown.', {
        what: text,
        'before?': text,
        'after?': text,
        'hidden?': { const: true },
        'hunks?': listOf(
          object('Lines from those on; each begins with a blank, `-` or `+`.', {
            beforeLine: whole,
            afterLine: whole,
            lines: listOf(text),
          }),
        ),
      }),
    ),
    'at?': { ...listOf(text), description: 'Of a certificate: what it stands in.' },
  }),
  output: object('A file of the outputs.', {
    path: { ...text, description: 'From the directory.' },
    change: oneOf('written', 'unchanged', 'removed'),
    'bytes?': whole,
    'mode?': { type: 'string', pattern: '^0[0-7]{3}$' },
  }),
  stage: object('A stage of the installation.', {
    service: text,
    'stage?': text,
    state: text,
    'since?': text,
    'lastAt?': text,
    failures: whole,
    'place?': text,
    'lastError?': text,
    lastLines: listOf(text),
  }),
  certificate: object('A certificate, wherever it lies; the one that ends first comes first.', {
    subject: text,
    issuer: text,
    serial: hex,
    notBefore: time,
    notAfter: time,
    secondsLeft: { type: 'integer', description: 'Negative once it has ended.' },
    isCa: yes,
    'key?': object('Its public key, by the SHA-256 of its SubjectPublicKeyInfo.', {
      type: text,
      sha256: hex,
    }),
    sha256: hex,
    usages: listOf(text),
    purposes: { ...listOf(text), description: '`server`, `client`, or the number of another.' },
    names: listOf(text),
    'name?': { ...text, description: 'What it is called among those of a cluster.' },
    'use?': text,
    'signer?': object('Who signed it, where that is among those looked at.', {
      subject: text,
      notAfter: time,
      sha256: hex,
    }),
    places: listOf({ $ref: '#/$defs/certificatePlace' }),
    keyPlaces: {
      ...listOf({ $ref: '#/$defs/certificatePlace' }),
      description: 'Where its private key lies.',
    },
  }),
  certificatePlace: object(
    'Where something lies: a file, a path in its Ignition config, a field in its YAML or JSON.',
    {
      file: { ...text, description: 'From the working directory.' },
      'inside?': text,
      'field?': text,
    },
  ),
  fault: object('A fault that is known, by its id in docs/faults.md.', {
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
    title: 'What sno-install prints on stdout with --output json',
    description:
      'Made by `npm run docs`. One object: that of the command, or, where it met an error, of a failure.',
    anyOf: Object.keys(results).map((name) => ({ $ref: `#/$defs/${name}` })),
    $defs: { ...results, ...parts },
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
