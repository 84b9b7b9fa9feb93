import { isError } from '../../../src/core/problem.js';
import { definitionProblems } from '../../../src/manifests/schemas/check-definitions.js';
import { schemaProblems } from '../../../src/manifests/schemas/check-schemas.js';
import { validateAnySpec } from '../../../src/ignition/foreign/validate-any-spec.js';
import { reservedPathsOf, type ReservedPaths } from '../../../src/manifests/checks/check-reserved-paths.js';
import { objectProblems, readFile, withSource } from '../../../src/manifests/user-manifests.js';
import { templatesFrom } from '../../../src/disk/program-files/templates.js';
import { secretDocuments, secrets } from '../../support/secret-corpus.js';
import type { Target } from '../driver/target.js';
import { soundInstall } from './configs.js';
import { fixtureTexts, keptInputs } from './fixture-texts.js';
import { canaries } from './planted.js';
import { shownProblems, wrongPlace } from './shown-problems.js';

const file = 'manifests/user.yaml';
let known: ReservedPaths | undefined;

/** A file in manifests/. Accepted documents go to the node unchanged, where Go programs read them. */
export const manifests: Target = {
  name: 'manifests',
  form: 'yaml',
  seeds: () => [
    ...fixtureTexts('fixtures/invalid', /(?:manifests|openshift)\/.*\.(?:ya?ml|json)$/),
    ...fixtureTexts('fixtures/configs', /(?:manifests|openshift)\/.*\.ya?ml$/),
    ...fixtureTexts('fixtures/golden/minimal', /openshift\/.*\.yaml$/, 3000),
    ...Object.values(secretDocuments).map((write) => write(secrets.token.text)),
    machineConfig,
    ...keptInputs('manifests'),
  ],
  canaries,
  run: (input) => {
    const { value, problems: unread } = readFile({ file, path: 'manifests/user.yaml', bytes: input });
    const objects = value.manifests.flatMap(withSource);
    const facts = {
      install: soundInstall(),
      judge: validateAnySpec,
      checkSchemas: schemaProblems,
      checkDefinitions: definitionProblems,
    };
    const found = objectProblems(
      objects,
      facts,
      () => (known ??= reservedPathsOf(templatesFrom('templates'))),
    );
    const problems = [...unread, ...found];
    const texts = { [file]: input.toString('utf8') };
    return {
      isAccepted: value.manifests.length > 0 && !problems.some(isError),
      shown: shownProblems(problems, texts),
      fault: wrongPlace(problems, texts),
      outputs: () => value.manifests.map(({ text }) => ({ judge: 'kubernetes-yaml' as const, text })),
    };
  },
};

const machineConfig = `apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
metadata:
  name: 99-user
  labels:
    machineconfiguration.openshift.io/role: master
spec:
  kernelArguments: [quiet]
  config:
    ignition:
      version: 3.2.0
    passwd:
      users:
      - name: core
        sshAuthorizedKeys: [ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ5ialTiFcdXwCKUP4Zr7gO/zTKL/pikuBWWXvRMftkQ throwaway]
    storage:
      files:
      - path: /etc/user.conf
        mode: 420
        overwrite: true
        contents:
          source: data:text/plain;charset=utf-8;base64,YQo=
          verification:
            hash: sha256-87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7
    systemd:
      units:
      - name: user.service
        enabled: true
        contents: |
          [Unit]
          Description=a unit
          [Service]
          ExecStart=/bin/true
          [Install]
          WantedBy=multi-user.target
        dropins:
        - name: 10-more.conf
          contents: "[Service]\\nEnvironment=A=b\\n"
`;
