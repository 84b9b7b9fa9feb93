import { listAt, textAt } from '../../kube/fields.js';
import type { InspectedCluster } from '../inspection/detect-cluster.js';
import type { InspectedUser } from '../inspection/inspect-config.js';
import { sshFingerprint } from '../inspection/ssh-fingerprint.js';
import type { ConfigTexts } from './config-texts.js';
import { row, strings } from './rows.js';
import type { SheetRow } from './sheet.js';

/** Names, release, access and features of the cluster. */
export function clusterRows(
  texts: ConfigTexts,
  cluster: InspectedCluster,
  users: readonly InspectedUser[],
): readonly SheetRow[] {
  const { settings, installConfig } = texts;
  const { name, baseDomain, apiHost, releaseImage, releaseVersion, architecture } = cluster;
  const isNode = settings.size > 0 || installConfig !== undefined;
  const domain = name !== undefined && baseDomain !== undefined ? `${name}.${baseDomain}` : undefined;
  const isByDigest = releaseImage?.includes('@') === true;
  const hostname = settings.get('SNO_HOSTNAME') ?? texts.textOf('/etc/hostname').trim();
  const appsDomain = specOf(texts, 'Ingress', 'domain');
  return [
    ...row('cluster', 'Name', [domain ?? name ?? baseDomain]),
    ...row('api', 'API', [apiHost, settings.get('SNO_API_INT_HOST')]),
    ...row('apps', 'Apps', [appsDomain && `*.${appsDomain}`]),
    ...row('hostname', 'Host name', [hostname === '' && isNode ? 'from DHCP or DNS' : hostname]),
    ...row('release', 'Release', [
      isByDigest && releaseVersion !== undefined ? `${releaseImage} (${releaseVersion})` : releaseImage,
    ]),
    ...row('channel', 'Channel', [specOf(texts, 'ClusterVersion', 'channel')]),
    ...row('architecture', 'Architecture', [architecture]),
    ...row('ssh-key', 'SSH keys', sshKeys(installConfig, users)),
    ...row('features', 'Features', features(texts)),
    ...row('capabilities', 'Capabilities', [
      textAt(installConfig, ['capabilities', 'baselineCapabilitySet']),
      ...strings(listAt(installConfig, ['capabilities', 'additionalEnabledCapabilities'])),
    ]),
  ];
}

/** A field of an object of openshift.io's config API. */
function specOf({ manifests }: ConfigTexts, kind: string, field: string): string | undefined {
  const found = manifests.find(
    ({ object }) =>
      textAt(object, ['kind']) === kind && textAt(object, ['apiVersion']) === 'config.openshift.io/v1',
  );
  return textAt(found?.object, ['spec', field]);
}

/**
 * Type and fingerprint, as `ssh-keygen -l` prints them. The install-config has the keys of the user; the live system has a generated key,
 * too.
 */
function sshKeys(installConfig: unknown, users: readonly InspectedUser[]): readonly string[] {
  if (installConfig === undefined) return users.flatMap(({ sshKeys: keys }) => keys);
  const lines = (textAt(installConfig, ['sshKey']) ?? '').split('\n').filter((line) => line.trim() !== '');
  return lines.length === 0 ? ['none: no login by SSH'] : lines.map(sshFingerprint);
}

/** Settings that change the whole node. */
function features({ settings, installConfig, textOf }: ConfigTexts): readonly string[] {
  const featureSet = textAt(installConfig, ['featureSet']);
  return [
    ...(settings.get('SNO_FIPS') === '1' ? ['FIPS mode'] : []),
    ...(textAt(installConfig, ['cpuPartitioningMode']) === 'AllNodes' ? ['workload partitioning'] : []),
    ...(textAt(installConfig, ['controlPlane', 'hyperthreading']) === 'Disabled'
      ? ['hyperthreading disabled']
      : []),
    ...(featureSet === undefined ? [] : [`feature set ${featureSet}`]),
    ...(textOf('/etc/default/local-dns') === '' ? [] : ['local DNS']),
    ...(settings.get('SNO_RENDER') === 'Installer' ? ['control plane rendered by sno-install'] : []),
  ];
}
