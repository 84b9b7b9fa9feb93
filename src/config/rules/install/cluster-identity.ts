import { quoted } from '../../../core/quoted.js';
import { domainNameFault } from '../../../formats/hostname.js';
import { clusterDomain, internalApiHost } from '../../cluster-domain.js';
import type { Finding } from '../../schema/rule.js';
import type { InstallRule, InstallSubject } from './install-subject.js';

/** Leaves space for the suffixes that platforms append. Source: openshift/installer pkg/validate ClusterName */
const longestClusterName = 54;

/** Source: openshift/installer pkg/types/conversion. */
const oldVersions: readonly string[] = ['v1beta3', 'v1beta4'];

export const identityRules: readonly InstallRule[] = [
  {
    number: 10,
    fields: ['apiVersion'],
    text: 'apiVersion is v1; v1beta3 and v1beta4 are read as v1, with a warning.',
    origin: 'openshift-install',
    check: apiVersion,
  },
  {
    number: 11,
    fields: ['metadata.name'],
    text: 'metadata.name is a lower-case domain name of at most 54 characters, and does not end with baseDomain.',
    origin: 'openshift-install',
    check: clusterName,
  },
  {
    number: 12,
    fields: ['baseDomain'],
    text: 'baseDomain is a lower-case domain name; a trailing dot is removed.',
    origin: 'openshift-install',
    check: baseDomain,
  },
  {
    number: 13,
    fields: ['baseDomain', 'metadata.name'],
    text: 'The cluster domain, <metadata.name>.<baseDomain>, is a domain name of at most 245 characters, so that api-int.<cluster domain> has at most 253. baseDomain does not begin with the name (a warning).',
    origin: 'sno-install',
    check: wholeDomain,
  },
];

function apiVersion({ input }: InstallSubject): readonly Finding[] {
  const given = input.apiVersion ?? '';
  const path = ['apiVersion'];
  if (given === 'v1') return [];
  if (!oldVersions.includes(given)) {
    return [
      {
        code: 'config/api-version',
        path,
        message: `apiVersion must be v1, not ${quoted(given)}`,
        hint: 'write "apiVersion: v1"',
      },
    ];
  }
  return [
    {
      code: 'config/deprecated-field',
      path,
      message: `apiVersion ${given} is read as v1`,
      hint: 'write "apiVersion: v1"',
    },
  ];
}

function clusterName({ config }: InstallSubject): readonly Finding[] {
  const { name } = config.metadata;
  const { baseDomain } = config;
  if (baseDomain !== '' && (name === baseDomain || name.endsWith(`.${baseDomain}`))) {
    const message = `metadata.name ${quoted(name)} already contains the base domain: the cluster domain would be ${quoted(clusterDomain(config))}`;
    const short = name.slice(0, -baseDomain.length - 1);
    return [
      {
        code: 'config/cluster-name',
        path: ['metadata', 'name'],
        message,
        hint: short === '' ? 'write a name that does not contain the base domain' : `write "${short}"`,
        with: [['baseDomain']],
      },
    ];
  }
  const isTooLong = name.length > longestClusterName;
  const fault = isTooLong ? `it is longer than ${longestClusterName} characters` : domainNameFault(name);
  if (fault === undefined) return [];
  const message = `metadata.name ${quoted(name)} is not a cluster name: ${fault}`;
  return [{ code: 'config/cluster-name', path: ['metadata', 'name'], message, hint: inLowerCase(name) }];
}

function baseDomain({ config }: InstallSubject): readonly Finding[] {
  const fault = domainNameFault(config.baseDomain);
  if (fault === undefined) return [];
  const message = `baseDomain ${quoted(config.baseDomain)} is not a domain name: ${fault}`;
  return [
    { code: 'config/base-domain', path: ['baseDomain'], message, hint: inLowerCase(config.baseDomain) },
  ];
}

function wholeDomain({ config }: InstallSubject): readonly Finding[] {
  const parts = [config.metadata.name, config.baseDomain];
  if (parts.some((part) => domainNameFault(part) !== undefined)) return [];
  const fault = domainNameFault(internalApiHost(config));
  if (fault === undefined) return repeatedName(config);
  const message = `api-int.<metadata.name>.<baseDomain> is not a domain name: ${fault}`;
  return [{ code: 'config/base-domain', path: ['baseDomain'], message, with: [['metadata', 'name']] }];
}

function repeatedName(config: InstallSubject['config']): readonly Finding[] {
  const { baseDomain, metadata } = config;
  if (!baseDomain.startsWith(`${metadata.name}.`)) return [];
  const short = baseDomain.slice(metadata.name.length + 1);
  return [
    {
      code: 'config/base-domain-name',
      path: ['baseDomain'],
      message: `baseDomain ${quoted(baseDomain)} already begins with the cluster name: the cluster domain is ${quoted(clusterDomain(config))}`,
      hint: `write "${short}", unless DNS has the records of ${internalApiHost(config)}`,
      with: [['metadata', 'name']],
    },
  ];
}

/** The lower-case form as a hint, if that makes the text valid. */
function inLowerCase(text: string): string | undefined {
  const lower = text.toLowerCase();
  return lower !== text && domainNameFault(lower) === undefined ? `write "${lower}"` : undefined;
}
