import { listAt, textAt } from '../../kube/fields.js';
import type { InspectedCluster } from '../inspection/detect-cluster.js';
import type { ConfigTexts } from './config-texts.js';
import { row, strings } from './rows.js';
import type { SheetRow } from './sheet.js';

/** Names, release and features of the cluster. */
export function clusterRows(texts: ConfigTexts, cluster: InspectedCluster): readonly SheetRow[] {
  const { settings, installConfig } = texts;
  const { name, baseDomain, apiHost, releaseImage, releaseVersion, architecture } = cluster;
  const isNode = settings.size > 0 || installConfig !== undefined;
  const domain = name !== undefined && baseDomain !== undefined ? `${name}.${baseDomain}` : undefined;
  const hostname = settings.get('SNO_HOSTNAME') ?? texts.textOf('/etc/hostname').trim();
  return [
    ...row('cluster', 'Name', [domain ?? name ?? baseDomain]),
    ...row('api', 'API', [apiHost, settings.get('SNO_API_INT_HOST')]),
    ...row('hostname', 'Host name', [hostname === '' && isNode ? 'from DHCP or DNS' : hostname]),
    ...row('release', 'Release', [
      releaseImage,
      releaseImage?.includes('@') === true && releaseVersion !== undefined
        ? `(${releaseVersion})`
        : undefined,
    ]),
    ...row('architecture', 'Architecture', [architecture]),
    ...row('features', 'Features', features(texts)),
    ...row('capabilities', 'Capabilities', [
      textAt(installConfig, ['capabilities', 'baselineCapabilitySet']),
      ...strings(listAt(installConfig, ['capabilities', 'additionalEnabledCapabilities'])),
    ]),
  ];
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
