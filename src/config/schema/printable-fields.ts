import fleetFields from '#schemas/fleet' with { type: 'json' };
import installConfigFields from '#schemas/install-config' with { type: 'json' };
import rolloutFields from '#schemas/rollout' with { type: 'json' };
import snoConfigFields from '#schemas/sno-config' with { type: 'json' };

import type { PrintableFields } from '../../core/excerpt.js';
import type { FieldSchema } from '../../formats/field-schema.js';

/**
 * Parent fields in manifests of the fields in `manifestValues`; not the contents of files and units.
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

/** Fields of manifests for names, counts and positions. Same sources. */
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

interface Field {
  readonly name: string;
  readonly schema: FieldSchema;
}

/** All fields of a schema, at any depth. */
function fieldsIn({ properties = {}, items, additionalProperties }: FieldSchema): readonly Field[] {
  return [
    ...Object.entries(properties).flatMap(([name, schema]) => [{ name, schema }, ...fieldsIn(schema)]),
    ...[items, additionalProperties].flatMap((below) => (below ? fieldsIn(below) : [])),
  ];
}

const configFields = [installConfigFields, snoConfigFields, fleetFields, rolloutFields].flatMap(fieldsIn);
const secrets = new Set(configFields.filter(({ schema }) => schema.writeOnly).map(({ name }) => name));
const plain = configFields.filter(({ name }) => !secrets.has(name));

function holdsFields({ schema: { type, items } }: Field): boolean {
  return type === 'object' || items?.type === 'object';
}

/** Fields that excerpts may show. Excludes fields that the schema marks as secret (`writeOnly`), such as `pullSecret`. */
export const printableFields: PrintableFields = {
  holders: new Set([...plain.filter(holdsFields).map(({ name }) => name), ...manifestHolders]),
  values: new Set([
    ...plain.filter((field) => !holdsFields(field)).map(({ name }) => name),
    ...manifestValues,
  ]),
};
