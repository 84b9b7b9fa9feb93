import type { Release } from '../../config/reading/release.js';
import { groupOf } from '../../kube/identity.js';
import type { SourcedObject } from '../../kube/manifest.js';
import type { KubeObject } from '../../kube/object.js';
import { releases } from '../../release/releases.js';
import type { ObjectSchema } from '../../release/schemas/object-schema.js';
import { type DefinedKind, kindsDefinedIn } from './defined-kinds.js';
import { type SchemaRow, schemaRows } from './schema-tables.js';
import type { SchemaFacts } from './visit.js';

export interface SchemaCluster {
  readonly version: Release['version'];
  readonly isOkd: boolean;
  /** Feature set of install-config.yaml; undefined if that is invalid. */
  readonly featureSet: string | undefined;
  /** Whether the objects are merged into those that the installation has created, so that required fields may be omitted. */
  readonly isMerged: boolean;
  /** CustomResourceDefinitions that are not installed, but whose schemas apply. */
  readonly definitions?: readonly SourcedObject[];
}

/** The schemas that an object may have. */
export interface SchemaChoice {
  /** The schema of the release, or the newest one if that is unknown. */
  readonly own: SchemaFacts;
  /** Schemas of other versions, if the object may meet one of them. */
  readonly others: readonly SchemaFacts[];
  /** Whether the version of the operator or release is unknown, so that an object may fit any of the schemas. */
  readonly isOwnUnknown: boolean;
  /** Whether a CustomResourceDefinition of the release defines the kind. */
  readonly isOfPayload: boolean;
}

/** The user's definition of a kind does not serve the version of the object. */
export interface UnservedVersion {
  readonly definition: DefinedKind;
}

/** Finds the schemas of objects. CustomResourceDefinitions of the user take precedence over the published ones. */
export function schemaChooser(
  objects: readonly SourcedObject[],
  cluster: SchemaCluster,
): (object: KubeObject) => SchemaChoice | UnservedVersion | undefined {
  const defined = kindsDefinedIn([...objects, ...(cluster.definitions ?? [])]);
  const release = cluster.version && releases.like(cluster.version);
  const kubernetes = `1.${(release ?? releases.newest).kubernetesMinor}`;
  const metadata = schemaRows('meta', 'v1', 'ObjectMeta').find((row) => row.in.includes(kubernetes));
  const facts = (schema: ObjectSchema, isGo: boolean): SchemaFacts => ({
    schema,
    metadata: metadata?.schema ?? {},
    isGo,
  });
  return ({ apiVersion, kind }) => {
    const definition = defined.get(`${groupOf(apiVersion)}/${kind}`);
    if (definition) {
      const version = versionOf(apiVersion);
      if (!definition.versions.has(version)) return { definition };
      const own = definition.versions.get(version);
      return own && { own: facts(own, false), others: [], isOwnUnknown: false, isOfPayload: false };
    }
    const rows = rowsOf(apiVersion, kind, cluster);
    const [newest] = rows.slice(-1);
    if (newest === undefined) return undefined;
    const matching =
      release &&
      rows.find(({ in: names }) => names.includes(kubernetes) || names.includes(release.version.text));
    const chosen = matching ?? newest;
    const mayDiffer = matching === undefined || chosen.from === 'operator';
    const others = mayDiffer ? rows.filter((row) => row !== chosen) : [];
    return {
      own: facts(chosen.schema, chosen.from === 'go'),
      others: others.map((row) => facts(row.schema, row.from === 'go')),
      isOwnUnknown: matching === undefined,
      isOfPayload: chosen.from === undefined,
    };
  };
}

/** The rows of a kind for the feature set: those that name it, before those without feature sets. */
function rowsOf(
  apiVersion: string,
  kind: string,
  { featureSet = '', isOkd }: SchemaCluster,
): readonly SchemaRow[] {
  const rows = schemaRows(groupOf(apiVersion), versionOf(apiVersion), kind);
  const wanted =
    featureSet !== '' && featureSet !== 'Default' ? [featureSet] : isOkd ? ['OKD', 'Default'] : ['Default'];
  const named = wanted.flatMap((set) => rows.filter(({ sets }) => sets?.includes(set)));
  return [...named, ...rows.filter(({ sets }) => sets === undefined)];
}

/** The part of apiVersion after the group. */
function versionOf(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf('/') + 1);
}
