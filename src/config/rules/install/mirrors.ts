import { quoted } from '../../../core/quoted.js';
import type { ImageContentSource } from '../../schema/install-config-schema.js';
import { isRegistryHost, parseImageReference } from '../../../formats/image-reference.js';
import type { FieldPath } from '../../../formats/yaml/yaml-tree.js';
import type { Finding } from '../../schema/rule.js';
import type { InstallRule, InstallSubject } from './install-subject.js';
import { isCoveredBy, registriesOf } from './pull-secret.js';

/** Rules on mirrors for disconnected installations. */
export const mirrorRules: readonly InstallRule[] = [
  {
    number: 49,
    fields: [
      'imageDigestSources[].source',
      'imageDigestSources[].mirrors[]',
      'imageContentSources[].source',
      'imageContentSources[].mirrors[]',
    ],
    text: 'Sources and mirrors are repositories, or the host of a registry, without scheme, tag or digest.',
    origin: 'openshift-install',
    check: repositories,
  },
  {
    number: 50,
    fields: ['imageDigestSources[].sourcePolicy'],
    text: 'sourcePolicy is set only with at least one mirror.',
    origin: 'openshift-install',
    check: sourcePolicies,
  },
  {
    number: 51,
    fields: ['imageDigestSources[].mirrors[]', 'imageContentSources[].mirrors[]', 'pullSecret'],
    text: 'The pull secret has credentials for the registry of each mirror (a warning).',
    origin: 'openshift-install',
    check: credentials,
  },
  {
    number: 52,
    fields: ['imageDigestSources', 'imageContentSources'],
    text: 'imageDigestSources and imageContentSources are not both set.',
    origin: 'openshift-install',
    check: oneForm,
  },
];

interface PlacedSource {
  readonly entry: ImageContentSource;
  readonly path: FieldPath;
}

function sourcesOf({ config }: InstallSubject): readonly PlacedSource[] {
  return [
    ...config.imageDigestSources.map((entry, index) => ({ entry, path: ['imageDigestSources', index] })),
    ...config.imageContentSources.map((entry, index) => ({ entry, path: ['imageContentSources', index] })),
  ];
}

function mirrorsOf(
  subject: InstallSubject,
): readonly { readonly mirror: string; readonly path: FieldPath }[] {
  return sourcesOf(subject).flatMap(({ entry, path }) =>
    entry.mirrors.map((mirror, index) => ({ mirror, path: [...path, 'mirrors', index] })),
  );
}

function repositories(subject: InstallSubject): readonly Finding[] {
  const named = [
    ...sourcesOf(subject).map(({ entry, path }) => ({ text: entry.source, path: [...path, 'source'] })),
    ...mirrorsOf(subject).map(({ mirror, path }) => ({ text: mirror, path })),
  ];
  return named.flatMap(({ text, path }) => {
    const fault = repositoryFault(text);
    return fault === undefined ? [] : [{ code: 'config/image-source' as const, path, ...fault }];
  });
}

function repositoryFault(text: string): Pick<Finding, 'message' | 'hint'> | undefined {
  // Source: openshift/api config/v1 ImageMirror, whose pattern does not allow brackets.
  if (text.startsWith('['))
    return {
      message: `${quoted(text)} has an IPv6 address as its registry`,
      hint: 'use a DNS name for the registry',
    };
  if (isRegistryHost(text)) return undefined;
  const hint = 'write it as registry.example.com:5000/path';
  const scheme = /^[a-z]+:\/\//.exec(text)?.[0];
  if (scheme !== undefined) return { message: `${quoted(text)} has a scheme`, hint: `leave "${scheme}" out` };
  const reference = parseImageReference(text);
  if (!reference) return { message: `${quoted(text)} is not a repository with a registry host`, hint };
  if (reference.digest !== undefined)
    return { message: `${quoted(text)} has a digest`, hint: `write "${reference.repository}"` };
  return reference.tag === undefined
    ? undefined
    : { message: `${quoted(text)} has a tag`, hint: `write "${reference.repository}"` };
}

function sourcePolicies({ config }: InstallSubject): readonly Finding[] {
  return config.imageDigestSources.flatMap(({ sourcePolicy, mirrors }, index) =>
    sourcePolicy === undefined || mirrors.length > 0
      ? []
      : [
          {
            code: 'config/image-source' as const,
            path: ['imageDigestSources', index, 'sourcePolicy'],
            message: 'sourcePolicy has no effect without mirrors',
            hint: 'add mirrors, or remove it',
            with: [['imageDigestSources', index, 'mirrors']],
          },
        ],
  );
}

function credentials(subject: InstallSubject): readonly Finding[] {
  const registries = registriesOf(subject.config.pullSecret.reveal());
  if (!registries) return [];
  const reported = new Set<string>();
  return mirrorsOf(subject).flatMap(({ mirror, path }) => {
    const registry = mirror.split('/', 1)[0] ?? '';
    if (isCoveredBy(registries, mirror) || repositoryFault(mirror) !== undefined || reported.has(registry))
      return [];
    reported.add(registry);
    const message = `pullSecret has no credentials for the mirror registry ${quoted(registry)}`;
    return [
      {
        code: 'config/mirror-without-credentials' as const,
        path,
        message,
        hint: 'add them, unless the registry allows anonymous pulls',
        with: [['pullSecret']],
      },
    ];
  });
}

function oneForm({ config }: InstallSubject): readonly Finding[] {
  if (config.imageDigestSources.length === 0 || config.imageContentSources.length === 0) return [];
  return [
    {
      code: 'config/deprecated-conflict',
      path: ['imageContentSources'],
      target: 'key',
      message: 'imageContentSources and imageDigestSources are both given',
      hint: 'move everything to imageDigestSources',
    },
  ];
}
