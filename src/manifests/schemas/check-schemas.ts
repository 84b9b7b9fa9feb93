import { type Problem, problem } from '../../core/problem.js';
import { maskedWord } from '../../core/quoted.js';
import { alternatives } from '../../formats/schema-wording.js';
import { pathText, type YamlNode } from '../../formats/yaml/yaml-tree.js';
import { groupOf } from '../../kube/identity.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { SourcedObject } from '../../kube/manifest.js';
import { fieldFaults } from './check-fields.js';
import type { FieldFault, SchemaFacts } from './visit.js';
import { choiceFaults } from './field-choices.js';
import { neededFieldFaults } from './needed-fields.js';
import { valueRuleFaults } from './value-rules.js';
import {
  type SchemaChoice,
  type SchemaCluster,
  schemaChooser,
  type UnservedVersion,
} from './schema-choice.js';

export type CheckSchemas = typeof schemaProblems;

/** Reports fields that the API of the release rejects or drops. Problems: manifest/schema. */
export function schemaProblems(
  objects: readonly SourcedObject[],
  cluster: SchemaCluster,
): readonly Problem[] {
  const choose = schemaChooser(objects, cluster);
  return objects.flatMap((sourced) => {
    const choice = choose(sourced.object);
    if (choice === undefined) return [];
    return 'definition' in choice
      ? [unservedVersion(sourced, choice)]
      : knownProblems(sourced, choice, cluster);
  });
}

interface CheckedObject extends SchemaChoice {
  readonly isMerged: boolean;
  readonly problems: readonly Problem[];
}

/** Last check of each document, since the sites of a fleet share most documents. */
const checkedObjects = new WeakMap<YamlNode, CheckedObject>();

function knownProblems(
  sourced: SourcedObject,
  choice: SchemaChoice,
  cluster: SchemaCluster,
): readonly Problem[] {
  const { root } = sourced.source;
  const checked = checkedObjects.get(root);
  const { isMerged } = cluster;
  if (checked && checked.isMerged === isMerged && isSameChoice(checked, choice)) return checked.problems;
  const problems = problemsOf(sourced, choice, cluster);
  checkedObjects.set(root, { ...choice, isMerged, problems });
  return problems;
}

function isSameChoice(left: SchemaChoice, right: SchemaChoice): boolean {
  const facts = ({ own, others }: SchemaChoice): readonly unknown[] =>
    [own, ...others].flatMap(({ schema, metadata, isGo }) => [schema, metadata, isGo]);
  const [before, now] = [facts(left), facts(right)];
  return (
    left.isOwnUnknown === right.isOwnUnknown &&
    before.length === now.length &&
    before.every((each, index) => each === now[index])
  );
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
    ...(choice.own.isGo
      ? [...neededFieldFaults(object, source.root), ...valueRuleFaults(object, source.root)]
      : []),
    ...choiceFaults(object, source.root, isMerged && choice.isOfPayload),
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

function unservedVersion({ object, source }: SourcedObject, { definition }: UnservedVersion): Problem {
  const { apiVersion, kind } = object;
  const served = [...definition.versions.keys()].map((version) => `${groupOf(apiVersion)}/${version}`);
  const [only] = served.length === 1 ? served : [];
  const message = `${maskedWord(kind)} has no served version ${maskedWord(apiVersion)} in its definition ${definition.file}`;
  const hint =
    only === undefined ? `the definition serves ${alternatives(served)}` : `write "apiVersion: ${only}"`;
  return problem('manifest/schema', message, {
    at: manifestFieldPlace(source, ['apiVersion']),
    hint: served.length === 0 ? 'set "served: true" for a version of the definition' : hint,
  });
}
