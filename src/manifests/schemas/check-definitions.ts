import { isDeepStrictEqual } from 'node:util';

import { isRecord } from '../../core/is-record.js';
import { type Problem, problem } from '../../core/problem.js';
import { maskedWord } from '../../core/quoted.js';
import { type FieldPath, pathText } from '../../formats/yaml/yaml-tree.js';
import { fieldAt, listAt, textAt } from '../../kube/fields.js';
import { describeIdentity, groupOf, identityOf } from '../../kube/identity.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { SourcedObject } from '../../kube/manifest.js';
import { type DefinitionFault, structureFaults } from './definition-structure.js';
import { definitionApi, isDefinition } from './defined-kinds.js';

export type CheckDefinitions = typeof definitionProblems;

/**
 * Reports CustomResourceDefinitions that the API server refuses, and contradicting ones. `given` are the objects of crds/, which are not
 * installed; `objects` are installed. Problems: manifest/definition, manifest/not-a-definition.
 */
export function definitionProblems(
  given: readonly SourcedObject[],
  objects: readonly SourcedObject[],
): readonly Problem[] {
  // For an installed object of another version, the check of kinds reports that the release does not serve it.
  const installed = objects.filter((each) => each.object.apiVersion === definitionApi);
  const all = [...given, ...installed].filter(isDefinition);
  return [
    ...otherObjects(given),
    ...all.flatMap((each) => definitionFaults(each).map((fault) => faultProblem(each, fault))),
    ...contradictions(all),
  ];
}

/** Reports objects of crds/ that are not definitions, once per file. */
function otherObjects(given: readonly SourcedObject[]): readonly Problem[] {
  const others = given.filter((each) => !isDefinition(each));
  const first = others.filter(
    ({ source }, index) => others.findIndex((each) => each.source.file === source.file) === index,
  );
  return first.map(({ object, source }) => {
    const count = others.filter((each) => each.source.file === source.file).length;
    const more = count === 1 ? ' is' : ` and ${count - 1} more objects of the file are`;
    const message = `${describeIdentity(identityOf(object))}${more} not installed: crds/ is only for CustomResourceDefinitions`;
    const hint = 'move it to manifests/ or post-install/ if the cluster needs it, else remove it';
    return problem('manifest/not-a-definition', message, { at: manifestFieldPlace(source, ['kind']), hint });
  });
}

function faultProblem({ source }: SourcedObject, { path, message, hint }: DefinitionFault): Problem {
  return problem('manifest/definition', message, { at: manifestFieldPlace(source, path), hint });
}

/** Faults of a definition alone. */
export function definitionFaults(definition: SourcedObject): readonly DefinitionFault[] {
  const { object } = definition;
  const name = describeIdentity(identityOf(object));
  if (object.apiVersion !== definitionApi) {
    const message = `${name} is of ${maskedWord(object.apiVersion)}, which no supported release serves`;
    const hint = `take the definition of a newer version of the operator, of ${definitionApi}`;
    return [{ path: ['apiVersion'], message, hint }];
  }
  const needed = [['group'], ['names', 'plural'], ['names', 'kind']]
    .map((path) => ['spec', ...path])
    .filter((path) => textAt(object, path) === undefined);
  return [
    ...needed.map((path) => ({ path, message: `${pathText(path)} is missing` })),
    ...(needed.length === 0 ? nameFaults(definition) : []),
    ...versionFaults(definition),
  ];
}

function nameFaults({ object }: SourcedObject): readonly DefinitionFault[] {
  const [plural = '', group = ''] = [['names', 'plural'], ['group']].map((path) =>
    textAt(object, ['spec', ...path]),
  );
  const expected = `${plural}.${group}`;
  if (object.metadata.name === expected) return [];
  const message = 'metadata.name must be spec.names.plural and spec.group, joined with a dot';
  return [{ path: ['metadata', 'name'], message, hint: `write ${maskedWord(expected)}` }];
}

function versionFaults({ object }: SourcedObject): readonly DefinitionFault[] {
  const path = ['spec', 'versions'];
  const versions = listAt(object, path);
  if (versions.length === 0) return [{ path, message: 'spec.versions is missing' }];
  const names = versions.map((each) => textAt(each, ['name']));
  const stored = versions.filter((each) => fieldAt(each, ['storage']) === true).length;
  return [
    ...versions.flatMap((each, index) => schemaFaults(each, [...path, index, 'schema', 'openAPIV3Schema'])),
    ...names.flatMap((name, index) => {
      const place = [...path, index, 'name'];
      if (name === undefined) return [{ path: place, message: `${pathText(place)} is missing` }];
      return names.indexOf(name) === index
        ? []
        : [{ path: place, message: `${pathText(place)} is the name of another version too` }];
    }),
    ...(stored === 1 ? [] : [{ path, message: 'spec.versions must have one version with storage: true' }]),
  ];
}

function schemaFaults(version: unknown, path: FieldPath): readonly DefinitionFault[] {
  const schema = fieldAt(version, ['schema', 'openAPIV3Schema']);
  if (isRecord(schema)) return structureFaults(schema, path);
  const hint = 'take the definition from the operator, or add the schema';
  return [{ path, message: `${pathText(path)} is missing`, hint }];
}

/** Reports definitions of one kind that differ. */
function contradictions(all: readonly SourcedObject[]): readonly Problem[] {
  const first = new Map<string, SourcedObject>();
  return all.flatMap((each) => {
    const kind = textAt(each.object, ['spec', 'names', 'kind']) ?? '';
    const key = `${textAt(each.object, ['spec', 'group']) ?? ''}/${kind}`;
    const earlier = first.get(key);
    first.set(key, earlier ?? each);
    if (earlier === undefined || isDeepStrictEqual(earlier.object['spec'], each.object['spec'])) return [];
    const files =
      earlier.source.file === each.source.file
        ? `twice in ${each.source.file}`
        : `in ${earlier.source.file} and in ${each.source.file}`;
    const message = `the kind ${maskedWord(kind)} of ${maskedWord(groupOf(key))} is defined ${files}, and the definitions differ`;
    const at = manifestFieldPlace(each.source, ['metadata', 'name']);
    return [problem('manifest/definition', message, { at, hint: 'keep the one that the operator installs' })];
  });
}
