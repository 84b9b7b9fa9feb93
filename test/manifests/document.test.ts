import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { expect, it } from 'vitest';

import { textsOf } from '../assets/manifests/generate.js';
import { trackedFiles } from '../support/tracked-files.js';

const document = readFileSync('docs/manifests.md', 'utf8');

/** The files in the table below a heading, with `{master,worker}` expanded. */
function filesNamed(folder: string): readonly string[] {
  const [, section = ''] = document.split(`## In \`${folder}/\``);
  const rows = (section.split('\n## ')[0] ?? '').matchAll(/^\| `([^`]+\.ya?ml)`/gm);
  return [...rows].flatMap(([, name = '']) => spelledOut(name));
}

function spelledOut(name: string): readonly string[] {
  const choice = /\{([^}]+)\}/.exec(name);
  return choice === null ? [name] : (choice[1] ?? '').split(',').map((each) => name.replace(choice[0], each));
}

/** Goldens with user manifests, which the document does not list. */
const ofUsers = /^fixtures\/golden\/(?:custom-manifests|post-install)\//;

/** A user's manifest of the sites with a payload. */
const operatorHub = 'operator-hub.yaml';

function filesInGoldens(folder: string): readonly string[] {
  return trackedFiles('fixtures/golden')
    .filter((path) => !ofUsers.test(path) && dirname(path).endsWith(`/opt/openshift/${folder}`))
    .filter((path) => !basename(path).startsWith('control-plane-'))
    .filter((path) => basename(path) !== operatorHub);
}

/** Manifests in no golden: mirrors in the old field, a join subnet, an encrypted disk, labels, workers without hyperthreading. */
const rare = await textsOf({
  install: `imageContentSources: [{source: quay.io/openshift, mirrors: [mirror.example.com/openshift]}]
networking: {ovnKubernetesConfig: {ipv4: {internalJoinSubnet: 100.70.0.0/16}}}
`,
  sno: 'diskEncryption: {tpm2: true}\nnodeLabels: {rack: a}\n',
});

/** The file for masters is in a golden. */
const disabledOnWorkers = 'openshift/99_openshift-machineconfig_99-worker-disable-hyperthreading.yaml';

it.each(['manifests', 'openshift'])('names every file that is made in %s/, and none else', (folder) => {
  const made = [...filesInGoldens(folder), ...Object.keys(rare), disabledOnWorkers]
    .filter((path) => dirname(path) === folder || dirname(path).endsWith(join('/', folder)))
    .map((path) => basename(path));
  expect(filesNamed(folder).toSorted()).toEqual([...new Set(made)].toSorted());
});
