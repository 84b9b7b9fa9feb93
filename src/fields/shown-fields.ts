import type { ShownFields } from '../core/excerpt.js';
import { configHolders, configValues } from './shown-fields.generated.js';

/**
 * Fields of manifests that hold fields, on the way to those that name, count and place things: not the contents of files and units.
 * Source: k8s.io/apimachinery ObjectMeta; openshift/api machineconfiguration, config, operator; the Ignition spec 3.2.0.
 */
const manifestHolders: readonly string[] = [
  'metadata',
  'labels',
  'annotations',
  'spec',
  'items',
  'config',
  'ignition',
  'storage',
  'files',
  'directories',
  'links',
  'filesystems',
  'disks',
  'systemd',
  'units',
  'passwd',
  'users',
  'groups',
  'networking',
  'defaultNetwork',
  'imageDigestMirrors',
  'imageTagMirrors',
  'trustedCA',
  'clusterNetwork',
];

/** Fields of manifests that name, count and place things. The same sources. */
const manifestValues: readonly string[] = [
  'apiVersion',
  'kind',
  'name',
  'namespace',
  'generateName',
  'machineconfiguration.openshift.io/role',
  'version',
  'device',
  'path',
  'mode',
  'overwrite',
  'enabled',
  'mask',
  'kernelType',
  'kernelArguments',
  'extensions',
  'fips',
  'osImageURL',
  'baseOSExtensionsContainerImage',
  'networkType',
  'serviceNetwork',
  'type',
  'cidr',
  'hostPrefix',
  'mtu',
  'source',
  'mirrors',
  'channel',
  'clusterID',
  'domain',
  'baseDomain',
  'featureSet',
  'profile',
  'replicas',
];

/** What excerpts may show: `pullSecret` and the URLs of proxies are marked secret in the schema, and so are no part of it. */
export const shownFields: ShownFields = {
  holders: new Set([...configHolders, ...manifestHolders]),
  values: new Set([...configValues, ...manifestValues]),
};
