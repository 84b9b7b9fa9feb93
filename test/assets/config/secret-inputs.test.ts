import { describe, expect, test } from 'vitest';

import { aioRelease } from '../../../src/assets/aio/release.js';
import { bootstrapInPlace } from '../../../src/assets/config/bootstrap-in-place.js';
import { controlPlaneRender } from '../../../src/assets/config/control-plane-render.js';
import { imageReferences } from '../../../src/assets/config/image-references.js';
import { installConfig } from '../../../src/assets/config/install-config.js';
import { release } from '../../../src/assets/config/release.js';
import { shownFields } from '../../../src/assets/config/shown-fields.js';
import { snoConfig } from '../../../src/assets/config/sno-config.js';
import { userManifests } from '../../../src/assets/manifests/added/added-manifests.js';
import type { Problem } from '../../../src/core/problem.js';
import { renderProblem } from '../../../src/core/render-problem.js';
import { problemsOf } from '../../../src/core/result.js';
import { resolve } from '../../../src/graph/engine.js';
import { testContext } from '../../support/context.js';
import { minimalInstallConfig, snoConfigText } from '../../support/minimal-config.js';
import {
  forms,
  secretDocuments,
  secrets,
  textFields,
  yamlAt,
  type Secret,
} from '../../support/secret-corpus.js';

interface Input {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly canaries: readonly string[];
}

function installInput(name: string, text: string, { canaries }: Secret): Input {
  return { name, files: { 'install-config.yaml': text }, canaries };
}

/** The config without a field of its top level, and with other text at its end. */
function configWith(field: string, text: string): string {
  return `${minimalInstallConfig.replace(new RegExp(`^${field}:.*\\n(?: .*\\n)*`, 'm'), '')}${text}`;
}

const all: readonly Secret[] = Object.values(secrets);
const { pullSecret, rsaKey, edKey, proxy, blankProxy, slashProxy, bareProxy } = secrets;

/** A field, the secrets that end up in it, in every form. */
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

const proxies = [proxy, blankProxy, slashProxy, bareProxy].flatMap((secret) =>
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

/** Every field of both configs that is a text, with every secret. */
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

/** The assets that read what users write, those of both targets. */
const readers = [
  installConfig,
  snoConfig,
  bootstrapInPlace,
  controlPlaneRender,
  release,
  imageReferences,
  userManifests,
  aioRelease,
];

/** What a command prints of the problems that these meet, with either `--output`. */
async function textsOf({ files }: Input): Promise<string> {
  const result = await resolve(readers, testContext({ files }));
  const problems: readonly Problem[] = problemsOf(result);
  const texts = problems.map((found) => {
    const text = files[found.at?.file ?? ''];
    return renderProblem(found, text === undefined ? undefined : { text, fields: shownFields });
  });
  return [...texts, JSON.stringify(problems)].join('\n');
}

async function leaksOf(inputs: readonly Input[]): Promise<readonly string[]> {
  const leaks: string[] = [];
  for (const input of inputs) {
    const shown = await textsOf(input);
    const canary = input.canaries.find((each) => shown.includes(each));
    if (canary !== undefined) leaks.push(`${input.name}: ${shown}`);
  }
  return leaks;
}

describe('no secret is shown of an input that holds one', () => {
  test.each([
    { name: 'in the field, in every form', inputs: written, least: 300 },
    { name: 'in the settings of a proxy', inputs: proxies, least: 300 },
    { name: 'in any field of both configs', inputs: misplaced, least: 400 },
    { name: 'in a config on one line', inputs: oneLine, least: 14 },
    { name: 'in a manifest', inputs: manifests, least: 140 },
  ])('$name', async ({ inputs, least }) => {
    expect(inputs.length).toBeGreaterThanOrEqual(least);
    for (const { name, files, canaries } of inputs)
      expect([name, canaries.some((canary) => Object.values(files).join('\n').includes(canary))]).toEqual([
        name,
        true,
      ]);
    expect(await leaksOf(inputs)).toEqual([]);
  });
});
