import { quoted, quotedName } from '../../../core/quoted.js';
import { editDistance } from '../../../core/suggest.js';
import type { FieldPath } from '../../../formats/yaml/yaml-tree.js';
import { featureGates as knownGates } from '../../../release/feature-gates.js';
import type { InstallConfig } from '../../schema/install-config-schema.js';
import type { Finding } from '../../schema/rule.js';
import { keyAlgorithmOf } from '../../signer-algorithm.js';
import type { InstallRule, InstallSubject } from './install-subject.js';

export const featureRules: readonly InstallRule[] = [
  {
    number: 56,
    fields: ['featureGates'],
    text: 'featureGates need featureSet CustomNoUpgrade; each is Name=true or Name=false, in any spelling of Go, and its name is unique.',
    origin: 'openshift-install',
    check: featureGates,
  },
  {
    number: 57,
    fields: ['pki'],
    text: 'pki needs the feature gate ConfigurablePKI, and has an algorithm with its settings: RSA of 2048 to 8192 bits in steps of 1024, or ECDSA with a curve; sno-install generates RSA up to 4096 bits, P256 and P384. The release must support it.',
    origin: 'openshift-install',
    check: pki,
  },
];

function featureGates({ config }: InstallSubject): readonly Finding[] {
  const code = 'config/feature-gate';
  if (config.featureGates.length > 0 && config.featureSet !== 'CustomNoUpgrade') {
    const message = 'featureGates needs featureSet CustomNoUpgrade';
    return [
      {
        code,
        path: ['featureGates'],
        message,
        hint: 'write "featureSet: CustomNoUpgrade"; the cluster cannot be upgraded then',
        with: [['featureSet']],
      },
    ];
  }
  const names = config.featureGates.map((gate) => gate.split('=', 1)[0]);
  return config.featureGates.flatMap((gate, index) => {
    const path = ['featureGates', index];
    // Source: openshift/api config/v1 types_feature.go, FeatureGateName.
    if (!/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*=(true|false)$/.test(gate)) {
      return [
        { code, path, message: `feature gate ${quoted(gate)} is not of the form Name=true or Name=false` },
      ];
    }
    return names.indexOf(names[index]) === index
      ? misspelledGate(names[index] ?? '', path)
      : [{ code, path, message: `feature gate ${quoted(gate)} is listed twice` }];
  });
}

/** Kubernetes has more gates than OpenShift lists, so other unknown names are accepted. */
function misspelledGate(name: string, path: FieldPath): readonly Finding[] {
  if (name.length < 8 || knownGates.includes(name)) return [];
  const similar = knownGates.find((known) => editDistance(known.toLowerCase(), name.toLowerCase()) <= 2);
  if (similar === undefined) return [];
  const message = `OpenShift has no feature gate ${quotedName(name)}: every component ignores it`;
  return [{ code: 'config/feature-gate-unknown', path, message, hint: `did you mean "${similar}"?` }];
}

function pki({ config, input }: InstallSubject): readonly Finding[] {
  const given = input.pki;
  if (given === undefined) return [];
  if (!hasConfigurablePki(config)) {
    const message = 'pki needs the feature ConfigurablePKI, which is a technology preview';
    return [
      {
        code: 'config/pki',
        path: ['pki'],
        message,
        hint: 'remove it, or set featureSet; certificates.keyAlgorithm of sno-config.yaml sets the keys of the installation',
        with: [['featureSet']],
      },
    ];
  }
  const path = ['pki', 'signerCertificates', 'key'];
  const key = given.signerCertificates?.key;
  if (!key) return [{ code: 'config/pki', path, message: 'pki.signerCertificates.key is missing' }];
  const faults = pkiKey(key);
  if (faults.length === 0 && keyAlgorithmOf(key) === undefined) {
    const message =
      'sno-install cannot generate such keys: it generates RSA keys of 2048, 3072 and 4096 bits, and ECDSA keys on P256 and P384';
    return [{ code: 'config/pki', path, message, hint: 'choose one of these' }];
  }
  return faults.map(({ field, message }) => ({
    code: 'config/pki',
    path: [...path, ...field],
    message,
  }));
}

function hasConfigurablePki({ featureSet, featureGates }: InstallConfig): boolean {
  const isPreview = featureSet === 'TechPreviewNoUpgrade' || featureSet === 'DevPreviewNoUpgrade';
  return isPreview || (featureSet === 'CustomNoUpgrade' && featureGates.includes('ConfigurablePKI=true'));
}

type PkiKey = NonNullable<
  NonNullable<NonNullable<InstallSubject['input']['pki']>['signerCertificates']>['key']
>;

function pkiKey({
  algorithm,
  rsa,
  ecdsa,
}: PkiKey): readonly { readonly field: readonly string[]; readonly message: string }[] {
  if (algorithm === undefined)
    return [{ field: ['algorithm'], message: 'pki needs an algorithm, RSA or ECDSA' }];
  if (algorithm === 'ECDSA') {
    if (rsa) return [{ field: ['rsa'], message: 'rsa cannot be set with algorithm ECDSA' }];
    return ecdsa?.curve === undefined
      ? [{ field: ['ecdsa', 'curve'], message: 'algorithm ECDSA needs a curve' }]
      : [];
  }
  if (ecdsa) return [{ field: ['ecdsa'], message: 'ecdsa cannot be set with algorithm RSA' }];
  const size = rsa?.keySize ?? 0;
  const isSound = size >= 2048 && size <= 8192 && size % 1024 === 0;
  return isSound
    ? []
    : [{ field: ['rsa', 'keySize'], message: 'keySize must be a multiple of 1024 from 2048 to 8192' }];
}
