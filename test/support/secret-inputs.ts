import { minimalInstallConfig, snoConfigText } from './minimal-config.js';
import { forms, secretDocuments, secrets, textFields, yamlAt, type Secret } from './secret-corpus.js';

/** The files of a directory, some with a misplaced secret, and the parts of it that must not appear in any output. */
export interface SecretInput {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly canaries: readonly string[];
  /** Environment variables. Some contain the secret. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

function installInput(name: string, text: string, { canaries }: Secret): SecretInput {
  return { name, files: { 'install-config.yaml': text }, canaries };
}

/** Removes a top-level field of the config and appends another text. */
function configWith(field: string, text: string): string {
  return `${minimalInstallConfig.replace(new RegExp(`^${field}:.*\\n(?: .*\\n)*`, 'm'), '')}${text}`;
}

const all: readonly Secret[] = Object.values(secrets);
const { pullSecret, rsaKey, edKey, proxy, blankProxy, slashProxy, schemelessProxy } = secrets;

/** A field and the secrets misplaced in it, in every notation. */
const slips: readonly { readonly field: string; readonly secrets: readonly Secret[] }[] = [
  { field: 'pullSecret', secrets: [pullSecret, secrets.auth, rsaKey] },
  { field: 'pull_secret', secrets: [pullSecret] },
  { field: 'sshKey', secrets: [edKey, rsaKey, secrets.opensshKey, pullSecret] },
  { field: 'additionalTrustBundle', secrets: [secrets.ecKey, rsaKey, pullSecret] },
  { field: 'baseDomain', secrets: [pullSecret, proxy, secrets.token] },
  { field: 'proxy', secrets: [proxy, blankProxy] },
  { field: 'metadata', secrets: [pullSecret, secrets.jwt] },
  { field: 'imageDigestSources', secrets: [secrets.mirror, secrets.tokenMirror] },
];

const written = slips.flatMap(({ field, secrets: given }) =>
  given.flatMap((secret) =>
    Object.entries(forms).map(([form, write]) =>
      installInput(`${field}: ${secret.name} ${form}`, configWith(field, write(field, secret.text)), secret),
    ),
  ),
);

const proxies = [proxy, blankProxy, slashProxy, schemelessProxy].flatMap((secret) =>
  ['httpProxy', 'httpsProxy', 'noProxy', 'httpproxy'].flatMap((name) =>
    Object.entries(forms).map(([form, write]) =>
      installInput(
        `proxy.${name}: ${secret.name} ${form}`,
        `${minimalInstallConfig}proxy:\n${write(name, secret.text).replace(/^(?=.)/gm, '  ')}`,
        secret,
      ),
    ),
  ),
);

/** Every text field of both configs with every secret. */
const misplaced = Object.entries(textFields).flatMap(([file, paths]) =>
  paths.flatMap((path, index) =>
    all
      .filter((_secret, kind) => (kind + index) % 2 === 0)
      .map((secret) => {
        const text = yamlAt(path, secret.text).replace(/^\n/, '');
        const install = configWith(path[0] ?? '', text);
        const isInstall = file === 'install-config.yaml';
        return {
          name: `${path.join('.')}: ${secret.name}`,
          files: {
            'install-config.yaml': isInstall ? install : minimalInstallConfig,
            ...(!isInstall && { 'sno-config.yaml': snoConfigText(text) }),
          },
          canaries: secret.canaries,
        };
      }),
  ),
);

const oneLine = all.map((secret) =>
  installInput(
    `a config on one line: ${secret.name}`,
    `{"apiVersion":"v1","baseDomian":"example.com","pullSecret":${JSON.stringify(secret.text)},"metadata":{"name":1}}`,
    secret,
  ),
);

const value = 'canary-of-the-manifest';
const manifests = Object.entries(secretDocuments).flatMap(([form, write]) =>
  ['yaml', 'json'].flatMap((extension) =>
    ['', '\nx: [', '\tx: 1\n', '---\nkind: 5\n'].map((after) => ({
      name: `a Secret ${form} and ${JSON.stringify(after)} in .${extension}`,
      files: {
        'install-config.yaml': minimalInstallConfig,
        [`openshift/50-mine.${extension}`]: `${write(value)}${after}`,
      },
      canaries: [value],
    })),
  ),
);

const variable = 'SNO_TEST_SECRET';

/** A CA with a field that references the secret. */
function authorityWith(field: string, reference: string): string {
  const fields = { certificate: 'install-config.yaml', key: 'install-config.yaml', [field]: reference };
  return `certificates:\n  authority: { certificate: ${fields.certificate}, key: ${fields.key} }\n`;
}

/** The referenced texts: the secret alone or within another text. */
const referred = ['pullSecretFile', 'sshKeyFile', 'certificate', 'key'].flatMap((field) =>
  all.flatMap((secret) =>
    [
      { how: 'as it is', text: secret.text },
      {
        how: 'in JSON',
        text: `{\n"auths": {\n"${secret.name}": {"auth": ${JSON.stringify(secret.text)}}\n}}\n`,
      },
      {
        how: 'behind a key',
        text: `ssh-ed25519 AAAA ${secret.text.split('\n').at(1) ?? secret.text}\n${secret.text}`,
      },
    ].flatMap(({ how, text }) =>
      [
        { place: 'a file', reference: 'secret', more: { files: { secret: text } } },
        { place: 'a variable', reference: `env:${variable}`, more: { variables: { [variable]: text } } },
        { place: 'stdin', reference: '"-"', more: { stdin: text } },
      ].map(({ place, reference, more }) => ({
        name: `${secret.name} ${how}, in ${place} of ${field}`,
        canaries: secret.canaries,
        ...more,
        files: {
          'install-config.yaml': minimalInstallConfig.replace(
            new RegExp(`^${field.replace('File', '')}: .*\n`, 'm'),
            '',
          ),
          'sno-config.yaml': snoConfigText(
            field.endsWith('File') ? `${field}: ${reference}\n` : authorityWith(field, reference),
          ),
          ...('files' in more && more.files),
        },
      })),
    ),
  ),
);

/** Inputs that contain a secret, by its place. */
export const secretInputs = {
  'in the field, in every form': written,
  'in the settings of a proxy': proxies,
  'in any field of both configs': misplaced,
  'in a config on one line': oneLine,
  'in a manifest': manifests,
  'behind a reference': referred,
} satisfies Readonly<Record<string, readonly SecretInput[]>>;
