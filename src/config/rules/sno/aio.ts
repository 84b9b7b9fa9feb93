import { quoted, quotedName } from '../../../core/quoted.js';
import { aioImages, aioPrograms } from '../../schema/aio-model.js';
import { parseDuration } from '../../../formats/duration.js';
import type { FieldPath } from '../../../formats/yaml/yaml-tree.js';
import {
  defaultKubernetesVersion,
  knownKubernetesMinors,
  knownKubernetesText,
} from '../../../release/kubernetes.js';
import { mirrorFault } from '../../mirror-url.js';
import { durationFindings } from '../duration-bounds.js';
import type { Finding } from '../../schema/rule.js';
import { aioFileRules } from './aio-files.js';
import { pullSpecFault } from './pull-spec.js';
import type { SnoRule, SnoSubject } from './sno-subject.js';

/** Rules on an all-in-one control plane: versions, images, arguments, certificates and files to download. */
export const aioRules: readonly SnoRule[] = [
  {
    number: 90,
    fields: ['controlPlane.kubernetesVersion'],
    text: `kubernetesVersion is 1.<minor>.<patch>; one outside of ${knownKubernetesText} is a warning.`,
    origin: 'sno-install',
    check: kubernetesVersion,
  },
  {
    number: 91,
    fields: aioImages.map((name) => `controlPlane.images.${name}`),
    text: 'An image is a pull spec with its registry and a tag or a digest.',
    origin: 'sno-install',
    check: images,
  },
  {
    number: 92,
    fields: aioPrograms.map((name) => `controlPlane.extraArguments.${name}`),
    text: 'An extra argument is a flag without dashes, with values of one line each.',
    origin: 'sno-install',
    check: extraArguments,
  },
  {
    number: 93,
    fields: ['controlPlane.certificates.signers', 'controlPlane.certificates.leaves'],
    text: 'signers is 1y to 30y; leaves is 7d to 5y, and at most half of signers.',
    origin: 'sno-install',
    check: lifetimes,
  },
  {
    number: 97,
    fields: ['aio.mirror'],
    text: 'The mirror of published files is an https URL of a folder, without user, password and query.',
    origin: 'sno-install',
    check: mirror,
  },
  ...aioFileRules,
];

function kubernetesVersion({ config }: SnoSubject): readonly Finding[] {
  const given = config.controlPlane.kubernetesVersion;
  if (given === undefined) return [];
  const path = ['controlPlane', 'kubernetesVersion'];
  const minor = /^1\.(0|[1-9]\d{0,2})\.(?:0|[1-9]\d{0,3})$/.exec(given)?.[1];
  if (minor === undefined)
    return [
      {
        code: 'config/kubernetes-version',
        path,
        message: `kubernetesVersion ${quoted(given)} is not a version such as ${defaultKubernetesVersion}`,
        hint: /^v1\./.test(given) ? 'leave the "v" out' : undefined,
      },
    ];
  if (knownKubernetesMinors.includes(Number(minor))) return [];
  const message = `Kubernetes ${given} is not one of the supported versions ${knownKubernetesText}`;
  return [{ code: 'config/kubernetes-untested', path, message }];
}

function images({ config }: SnoSubject): readonly Finding[] {
  return aioImages.flatMap((name) => {
    const given = config.controlPlane.images[name];
    const fault = given === undefined ? undefined : pullSpecFault(given);
    if (given === undefined || fault === undefined) return [];
    const path = ['controlPlane', 'images', name];
    return [{ code: 'config/image' as const, path, message: `the image ${quoted(given)} ${fault}` }];
  });
}

function extraArguments({ config }: SnoSubject): readonly Finding[] {
  return aioPrograms.flatMap((program) =>
    Object.entries(config.controlPlane.extraArguments[program]).flatMap(([flag, values]) => {
      const path = ['controlPlane', 'extraArguments', program, flag];
      return argumentFindings(path, flag, values);
    }),
  );
}

function argumentFindings(path: FieldPath, flag: string, values: readonly string[]): readonly Finding[] {
  const code = 'config/extra-argument' as const;
  if (!/^[a-z0-9][a-z0-9_-]*$/.test(flag)) {
    const message = `${quotedName(flag)} is not a flag without dashes`;
    return [{ code, path, target: 'key', message, hint: 'write "audit-log-maxage: [\'30\']"' }];
  }
  if (values.length === 0) return [{ code, path, message: `the flag ${flag} has no value` }];
  return values.flatMap((value, index) =>
    /[\u0000-\u001f\u007f]/.test(value)
      ? [{ code, path: [...path, index], message: `a value of the flag ${flag} has control characters` }]
      : [],
  );
}

function lifetimes({ config, input }: SnoSubject): readonly Finding[] {
  const given = input.controlPlane?.certificates;
  const path = ['controlPlane', 'certificates'];
  const faults = [
    ...durationFindings(given?.signers, { path: [...path, 'signers'], least: '1y', most: '30y' }),
    ...durationFindings(given?.leaves, { path: [...path, 'leaves'], least: '7d', most: '5y' }),
  ];
  const { signersSeconds, leavesSeconds } = config.controlPlane.certificates;
  if (!given || faults.length > 0 || leavesSeconds * 2 <= signersSeconds) return faults;
  const field = parseDuration(given.leaves ?? '') === undefined ? 'signers' : 'leaves';
  return [
    {
      code: 'config/certificate-lifetimes',
      path: [...path, field],
      message: 'certificates.leaves is more than half of certificates.signers',
      with: [
        [...path, 'signers'],
        [...path, 'leaves'],
      ],
    },
  ];
}

function mirror({ config }: SnoSubject): readonly Finding[] {
  const url = config.aio.mirror;
  const fault = url === undefined ? undefined : mirrorFault(url);
  if (url === undefined || fault === undefined) return [];
  const message = `the mirror ${quoted(url)} ${fault}`;
  return [
    {
      code: 'config/file-mirror',
      path: ['aio', 'mirror'],
      message,
      hint: 'write "https://mirror.example.com/files"',
    },
  ];
}
