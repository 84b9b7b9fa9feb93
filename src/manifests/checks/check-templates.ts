import { problem, type Problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import type { FieldPath, YamlNode } from '../../formats/yaml/yaml-tree.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { SourcedObject } from '../../kube/manifest.js';
import { captureReference, isNetworkPolicy } from './check-network-policy.js';

/** Fields for programs, prose, or templates that are expanded in the cluster. */
const freeFields: ReadonlySet<string> = new Set([
  ...[
    'annotations',
    'args',
    'binaryData',
    'command',
    'contents',
    'customRules',
    'data',
    'description',
    'env',
  ],
  ...[
    'expr',
    'expression',
    'message',
    'messageExpression',
    'pattern',
    'script',
    'stringData',
    'summary',
    'yaml',
  ],
]);

/** Kinds whose fields are templates. */
const templateKinds: ReadonlySet<string> = new Set([
  ...['AlertingRule', 'AlertmanagerConfig', 'ConsoleExternalLogLink', 'ConsoleQuickStart', 'ConsoleSample'],
  ...['ConsoleYAMLSample', 'CustomResourceDefinition', 'PrometheusRule'],
]);

/** Placeholders of Go templates, Jinja, envsubst and shells. Kubernetes itself expands `$(NAME)`. */
const placeholder = /\{\{[^{}]*\}\}|\$\{[A-Za-z_][\w.]*\}|^\$[A-Za-z_]\w*$/;

/** Reports placeholders that were not replaced. Problems: manifest/template-remains. */
export function templateProblems(objects: readonly SourcedObject[]): readonly Problem[] {
  return objects.flatMap((sourced) =>
    templateKinds.has(sourced.object.kind)
      ? []
      : [...remains(sourced.source.root, []), ...hubTemplates(sourced.source.root, [])]
          .filter(({ text }) => !isNetworkPolicy(sourced.object) || !captureReference.test(text))
          .map((found) => placeholderProblem(sourced, found)),
  );
}

interface Found {
  readonly path: FieldPath;
  readonly text: string;
}

function remains(node: YamlNode, path: FieldPath): readonly Found[] {
  switch (node.kind) {
    case 'list':
      return node.items.flatMap((item, index) => remains(item, [...path, index]));
    case 'map':
      return node.entries.flatMap(({ key, value }) =>
        freeFields.has(key) ? [] : remains(value, [...path, key]),
      );
    case 'scalar': {
      const [text] = typeof node.value === 'string' ? (placeholder.exec(node.value) ?? []) : [];
      return text !== undefined && isOneWord(node.text) ? [{ path, text }] : [];
    }
  }
}

/** Templates that only a hub resolves, in free fields too. Source: open-cluster-management.io, "Template processing" */
const hubTemplate = /\{\{-?\s*hub\b.*?\bhub\s*-?\}\}/s;

/** The first hub template of each text. Templates that `remains` reports are left out. */
function hubTemplates(node: YamlNode, path: FieldPath, isFree = false): readonly Found[] {
  switch (node.kind) {
    case 'list':
      return node.items.flatMap((item, index) => hubTemplates(item, [...path, index], isFree));
    case 'map':
      return node.entries.flatMap(({ key, value }) =>
        hubTemplates(value, [...path, key], isFree || freeFields.has(key)),
      );
    case 'scalar': {
      const [text] = typeof node.value === 'string' ? (hubTemplate.exec(node.value) ?? []) : [];
      const isReported = !isFree && placeholder.test(String(node.value)) && isOneWord(node.text);
      return text === undefined || isReported ? [] : [{ path, text }];
    }
  }
}

/** A sentence may mention a placeholder; a single word with one is reported. */
function isOneWord(text: string): boolean {
  return !/\s/.test(text.replaceAll(/\{\{[^{}]*\}\}/g, 'x'));
}

function placeholderProblem({ source }: SourcedObject, { path, text }: Found): Problem {
  return problem('manifest/template-remains', `${quoted(text)} is a placeholder that is not replaced`, {
    at: manifestFieldPlace(source, path),
    hint: 'write the value',
  });
}
