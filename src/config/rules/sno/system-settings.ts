import { formatFindings } from '../format-findings.js';
import type { FieldPath } from '../../../formats/yaml/yaml-tree.js';
import { hasPayloadDefinedGates } from '../../feature-sets.js';
import { parseReference } from '../../reading/referenced-texts.js';
import { durationFindings } from '../duration-bounds.js';
import type { Finding } from '../../schema/rule.js';
import type { SnoRule, SnoSubject } from './sno-subject.js';

/** Rules on the installed system and the live system. */
export const liveSystemRules: readonly SnoRule[] = [
  {
    number: 70,
    fields: ['apiVersion', 'kind'],
    text: 'apiVersion is sno-install/v1alpha1 and kind is SingleNodeConfig.',
    origin: 'sno-install',
    check: format,
  },
  {
    number: 78,
    fields: ['controlPlane.render'],
    text: 'controlPlane.render is not Installer if install-config.yaml sets a featureSet other than CustomNoUpgrade.',
    origin: 'sno-install',
    check: render,
  },
  ofCertificates(79, 'validity', { least: '24h', most: '10y' }),
  ofCertificates(80, 'backdate', { least: '0s', most: '24h' }),
  {
    number: 81,
    fields: ['kubelet.gracefulShutdown.total', 'kubelet.gracefulShutdown.criticalPods'],
    text: 'The durations of kubelet.gracefulShutdown are 1s to 24h, and criticalPods is less than total.',
    origin: 'sno-install',
    check: gracefulShutdown,
  },
  {
    number: 82,
    fields: ['imageReferences', 'extraManifests[]'],
    text: 'A path is not empty and contains no control characters.',
    origin: 'sno-install',
    check: paths,
  },
  {
    number: 146,
    fields: ['postInstallTimeout'],
    text: 'postInstallTimeout is a duration from 1m to 24h.',
    origin: 'sno-install',
    check: ({ input }) =>
      durationFindings(input.postInstallTimeout, { path: ['postInstallTimeout'], least: '1m', most: '24h' }),
  },
  {
    number: 116,
    fields: [
      'pullSecretFile',
      'sshKeyFile',
      'certificates.authority.certificate',
      'certificates.authority.key',
    ],
    text: 'A reference is a path, env:NAME with the name of an environment variable, or - for stdin, which only one input can use. Its contents exist, come from a regular file if it is a path, and are non-empty UTF-8 of at most 1 MiB; pullSecret or sshKey is then not set in install-config.yaml.',
    origin: 'sno-install',
    check: references,
  },
];

function ofCertificates(
  number: number,
  field: 'validity' | 'backdate',
  { least, most }: Readonly<Record<'least' | 'most', string>>,
): SnoRule {
  return {
    number,
    fields: [`certificates.${field}`],
    text: `certificates.${field} is a duration from ${least} to ${most}.`,
    origin: 'sno-install',
    check: ({ input }) =>
      durationFindings(input.certificates?.[field], { path: ['certificates', field], least, most }),
  };
}

function format({ input }: SnoSubject): readonly Finding[] {
  return formatFindings(input, 'SingleNodeConfig');
}

/** Only the payload lists the gates of a feature set, and only the node can read it. */
function render({ config, install }: SnoSubject): readonly Finding[] {
  if (config.controlPlane.render !== 'Installer' || install?.isSound('featureSet') !== true) return [];
  const { featureSet } = install.config;
  if (!hasPayloadDefinedGates(featureSet)) return [];
  return [
    {
      code: 'config/render-unavailable',
      path: ['controlPlane', 'render'],
      message: `controlPlane.render Installer is not supported with featureSet ${featureSet}`,
      hint: 'write "render: Release", or leave it out',
    },
  ];
}

function gracefulShutdown({ config, input }: SnoSubject): readonly Finding[] {
  const given = input.kubelet?.gracefulShutdown;
  const path = ['kubelet', 'gracefulShutdown'];
  const bounds = { least: '1s', most: '24h' };
  const faults = [
    ...durationFindings(given?.total, { ...bounds, path: [...path, 'total'] }),
    ...durationFindings(given?.criticalPods, { ...bounds, path: [...path, 'criticalPods'] }),
  ];
  const { totalSeconds = 0, criticalPodsSeconds = 0 } = config.kubelet.gracefulShutdown ?? {};
  if (!given || faults.length > 0 || criticalPodsSeconds < totalSeconds) return faults;
  const message = `criticalPods ${given.criticalPods ?? ''} must be less than total ${given.total ?? ''}`;
  return [
    {
      code: 'config/graceful-shutdown',
      path: [...path, 'criticalPods'],
      message,
      with: [[...path, 'total']],
    },
  ];
}

function paths({ config, input }: SnoSubject): readonly Finding[] {
  const given: readonly { readonly path: FieldPath; readonly text: string }[] = [
    ...(input.imageReferences === undefined
      ? []
      : [{ path: ['imageReferences'], text: input.imageReferences }]),
    ...config.extraManifests.map((text, index) => ({ path: ['extraManifests', index], text })),
  ];
  return given.flatMap(({ path, text }) => {
    if (text.trim() !== '' && !/[\u0000-\u001f\u007f]/.test(text)) return [];
    const message =
      text.trim() === ''
        ? `${String(path[0])} has an empty path`
        : `${String(path[0])} has a path with control characters`;
    return [{ code: 'config/path' as const, path, message }];
  });
}

function references({ input }: SnoSubject): readonly Finding[] {
  const { certificate, key } = input.certificates?.authority ?? {};
  const given: readonly { readonly path: FieldPath; readonly reference: string | undefined }[] = [
    { path: ['pullSecretFile'], reference: input.pullSecretFile },
    { path: ['sshKeyFile'], reference: input.sshKeyFile },
    { path: ['certificates', 'authority', 'certificate'], reference: certificate },
    { path: ['certificates', 'authority', 'key'], reference: key },
  ];
  return given.flatMap(({ path, reference }) =>
    reference === undefined || parseReference(reference) !== undefined
      ? []
      : [
          {
            code: 'config/reference' as const,
            path,
            message: `${path.join('.')} must be a path, env:NAME or -`,
            ...(reference.startsWith('env:') && {
              hint: 'names of environment variables contain only letters, digits and "_"; in a fleet, add a column for the variable, because site names may contain "-"',
            }),
          },
        ],
  );
}
