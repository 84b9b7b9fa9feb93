import { isRecord } from '../../core/is-record.js';
import type { YamlNode } from '../../formats/yaml/yaml-tree.js';
import { fieldAt, listAt, textAt } from '../../kube/fields.js';
import { groupOf } from '../../kube/identity.js';
import type { SourcedObject } from '../../kube/manifest.js';
import { definitionSchema } from '../../release/schemas/definition-schema.js';
import type { ObjectSchema } from '../../release/schemas/object-schema.js';

/** The version of CustomResourceDefinitions that all supported releases serve. Kubernetes 1.22 removed v1beta1. */
export const definitionApi = 'apiextensions.k8s.io/v1';

/** A kind of a CustomResourceDefinition. */
export interface DefinedKind {
  /** The user's file with the definition. */
  readonly file: string;
  /** Schemas of the served versions; undefined for a version without schema. */
  readonly versions: ReadonlyMap<string, ObjectSchema | undefined>;
}

export function isDefinition({ object }: SourcedObject): boolean {
  return object.kind === 'CustomResourceDefinition' && groupOf(object.apiVersion) === 'apiextensions.k8s.io';
}

/** The kinds by `GROUP/KIND`; the first definition of a kind counts. */
export function kindsDefinedIn(objects: readonly SourcedObject[]): ReadonlyMap<string, DefinedKind> {
  const kinds = new Map<string, DefinedKind>();
  for (const definition of objects.filter(isDefinition)) {
    if (definition.object.apiVersion !== definitionApi) continue;
    const [group = '', kind = ''] = [['group'], ['names', 'kind']].map((path) =>
      textAt(definition.object, ['spec', ...path]),
    );
    const key = `${group}/${kind}`;
    kinds.set(key, kinds.get(key) ?? knownKind(definition));
  }
  return kinds;
}

/** Kinds by the document of their definition, since the sites of a fleet share definitions. */
const kindsByDocument = new WeakMap<YamlNode, DefinedKind>();

function knownKind(definition: SourcedObject): DefinedKind {
  const { root } = definition.source;
  const kind = kindsByDocument.get(root) ?? definedKind(definition);
  kindsByDocument.set(root, kind);
  return kind;
}

function definedKind({ object, source: { file } }: SourcedObject): DefinedKind {
  const served = listAt(object, ['spec', 'versions']).filter(
    (version) => fieldAt(version, ['served']) === true,
  );
  const versions = served.map((version) => {
    const schema = fieldAt(version, ['schema', 'openAPIV3Schema']);
    return [
      textAt(version, ['name']) ?? '',
      isRecord(schema) ? definitionSchema(schema) : undefined,
    ] as const;
  });
  return { file, versions: new Map(versions) };
}
