import { type Problem, problem } from '../../core/problem.js';
import { pathText } from '../../formats/yaml/yaml-tree.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { SourcedObject } from '../../kube/manifest.js';
import { fieldFaults } from './check-fields.js';
import type { FieldFault, SchemaFacts } from './visit.js';
import { choiceFaults } from './field-choices.js';
import { neededFieldFaults } from './needed-fields.js';
import { type SchemaChoice, type SchemaCluster, schemaChooser } from './schema-choice.js';

export type CheckSchemas = typeof schemaProblems;

/** Reports fields that the API of the release rejects or drops. Problems: manifest/schema. */
export function schemaProblems(
  objects: readonly SourcedObject[],
  cluster: SchemaCluster,
): readonly Problem[] {
  const choose = schemaChooser(objects, cluster);
  return objects.flatMap((sourced) => {
    const choice = choose(sourced.object);
    return choice === undefined ? [] : problemsOf(sourced, choice, cluster);
  });
}

function problemsOf(
  { object, source }: SourcedObject,
  choice: SchemaChoice,
  { isMerged }: SchemaCluster,
): readonly Problem[] {
  const faultsBy = (facts: SchemaFacts): readonly FieldFault[] =>
    fieldFaults(source.root, facts).filter(
      ({ kind }) => !(isMerged && choice.isOfPayload && kind === 'missing-field'),
    );
  const misfits = faultsBy(choice.own);
  const needed = [
    ...(choice.own.isGo ? neededFieldFaults(object, source.root) : []),
    ...(isMerged && choice.isOfPayload ? [] : choiceFaults(object, source.root)),
  ];
  const places = new Set(misfits.map(({ path }) => pathText(path)));
  const isOfOtherVersion = misfits.length > 0 && choice.others.some((other) => faultsBy(other).length === 0);
  const found = misfits.map((fault) => problemOf(fault, source));
  return [
    ...(isOfOtherVersion
      ? choice.isOwnUnknown
        ? []
        : found.map((each): Problem => ({ ...each, severity: 'warning' }))
      : found),
    ...needed.filter(({ path }) => !places.has(pathText(path))).map((fault) => problemOf(fault, source)),
  ];
}

function problemOf({ path, target, message, hint }: FieldFault, source: SourcedObject['source']): Problem {
  return problem('manifest/schema', message, { at: manifestFieldPlace(source, path, target), hint });
}
