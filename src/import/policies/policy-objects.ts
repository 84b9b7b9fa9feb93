import { posix } from 'node:path';

import { problem, type Place, type Problem } from '../../core/problem.js';
import { isRecord } from '../../core/is-record.js';
import { maskedWord, quoted } from '../../core/quoted.js';
import { decodeUtf8 } from '../../formats/utf8.js';
import { nodeAt, toData, type YamlNode } from '../../formats/yaml/yaml-tree.js';
import { isYamlName, readYaml } from '../../formats/yaml/yaml.js';
import type { Inputs } from '../../graph/context.js';
import { itemsAt, textAt, type Resource } from '../resources/resources.js';
import { labelsIn, placementOf, type Binding } from './policy-binding.js';
import { overlaid, patched, type MergeKeys } from './policy-patches.js';

/** An object that a policy requires on its clusters. */
export interface PolicyObject {
  readonly policy: string;
  /** Namespace of the policy, in which hub templates look up ConfigMaps. */
  readonly namespace: string;
  readonly binding: Binding;
  readonly wave: number;
  readonly complianceType: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The entry of the policy that names the object. */
  readonly at: Place;
}

export interface FoundPolicies {
  readonly objects: readonly PolicyObject[];
  /** Names of the policies. */
  readonly policies: readonly string[];
  /** Everything that is not taken. Warnings: import/left-out, import/missing. */
  readonly problems: readonly Problem[];
}

/** The folders of an import of policies. */
export interface PolicySources {
  readonly inputs: Inputs;
  readonly resources: readonly Resource[];
  /** The folder of the source CRs. */
  readonly sourceCrs: Inputs | undefined;
}

/** Source: openshift-kni/cnf-features-deploy ztp/policygenerator, ZtpDeployWaveAnnotation */
export const waveAnnotation = 'ran.openshift.io/ztp-deploy-wave';

interface Collected {
  readonly objects: PolicyObject[];
  readonly policies: Set<string>;
  readonly problems: Problem[];
}

/** The objects of all PolicyGenerators, PolicyGenTemplates and Policies. */
export function policyObjects(sources: PolicySources): FoundPolicies {
  const found: Collected = { objects: [], policies: new Set(), problems: [] };
  for (const resource of sources.resources) {
    if (resource.kind === 'PolicyGenerator') addGenerator(resource, sources, found);
    else if (resource.kind === 'PolicyGenTemplate') addTemplate(resource, sources, found);
    else if (resource.kind === 'Policy') addPolicy(resource, sources, found);
  }
  return { objects: found.objects, policies: [...found.policies], problems: found.problems };
}

/** Fields that a policy takes from `policyDefaults`. Source: policy-generator-plugin docs/policygenerator-reference.yaml */
function addGenerator(
  resource: Resource,
  sources: PolicySources,
  { objects, policies, problems }: Collected,
): void {
  const root = resource.root();
  const defaults = nodeAt(root, ['policyDefaults']);
  const namespace = textAt(defaults, ['namespace']) ?? '';
  for (const policy of itemsAt(root, ['policies'])) {
    const name = textAt(policy, ['name']) ?? '';
    const place = placeOf(resource, policy);
    policies.add(name);
    const text = (...path: readonly string[]): string | undefined =>
      textAt(policy, path) ?? textAt(defaults, path);
    if (text('disabled') === 'true') {
      problems.push(leftOut(`policy ${maskedWord(name)} is disabled`, place));
      continue;
    }
    const placement = nodeAt(policy, ['placement']) ?? (defaults && nodeAt(defaults, ['placement']));
    const binding = placementOf(placement, resource.file);
    problems.push(...binding.problems);
    const written = text('policyAnnotations', waveAnnotation);
    for (const manifest of itemsAt(policy, ['manifests'])) {
      const at = placeOf(resource, manifest);
      const path = textAt(manifest, ['path']) ?? '';
      const sourced = sourceDocuments(path, { file: resource.file, sources, at });
      problems.push(...sourced.problems);
      const patches = itemsAt(manifest, ['patches']).map(toData).filter(isRecord);
      const keys = openApiKeys(manifest, resource, sources, problems);
      const complianceType = textAt(manifest, ['complianceType']) ?? text('complianceType') ?? 'musthave';
      const isOnly = sourced.documents.length === 1;
      const unused = patches.filter(
        (patch) => !isOnly && !sourced.documents.some((each) => isPatchOf(patch, each)),
      );
      problems.push(...unused.map(() => leftOut('a patch matches no object of the file', at)));
      for (const data of sourced.documents) {
        const own = patches.filter((patch) => isOnly || isPatchOf(patch, data));
        const made = own.reduce((base, patch) => patched(base, patch, keys), data);
        objects.push({
          policy: name,
          namespace,
          binding: binding.binding,
          wave: waveOf(written, made, { at, problems }),
          complianceType,
          data: made,
          at,
        });
      }
    }
  }
}

/** Whether a patch names an object by kind and name, as it must if a file has several. */
function isPatchOf(
  patch: Readonly<Record<string, unknown>>,
  data: Readonly<Record<string, unknown>>,
): boolean {
  const nameIn = ({ metadata }: Readonly<Record<string, unknown>>): unknown =>
    isRecord(metadata) ? metadata['name'] : undefined;
  return patch['kind'] === data['kind'] && nameIn(patch) === nameIn(data);
}

/** Source: openshift-kni/cnf-features-deploy ztp/ran-crd/policy-gen-template-crd.yaml */
function addTemplate(
  resource: Resource,
  sources: PolicySources,
  { objects, policies, problems }: Collected,
): void {
  const root = resource.root();
  const spec = nodeAt(root, ['spec']);
  const mcp = textAt(spec, ['mcp']) ?? '';
  const bound = labelsIn(nodeAt(root, ['spec', 'bindingRules']));
  const excluded = nodeAt(root, ['spec', 'bindingExcludedRules']);
  const at = placeOf(resource, root);
  const binding: Binding = { labels: bound };
  if (excluded !== undefined)
    problems.push(leftOut('bindingExcludedRules are not imported', placeOf(resource, excluded)));
  for (const source of itemsAt(spec, ['sourceFiles'])) {
    const place = placeOf(resource, source);
    const name = `${resource.name}-${textAt(source, ['policyName']) ?? ''}`.replace(/-$/, '');
    policies.add(name);
    const path = textAt(source, ['fileName']) ?? '';
    const sourced = sourceDocuments(posix.join('source-crs', path), {
      file: resource.file,
      sources,
      at: place,
      mcp,
    });
    problems.push(...sourced.problems);
    const overlay = toData(source);
    for (const data of sourced.documents) {
      const made = sourced.documents.length === 1 && isRecord(overlay) ? overlaid(data, overlay) : data;
      const complianceType =
        textAt(source, ['complianceType']) ?? textAt(spec, ['complianceType']) ?? 'musthave';
      objects.push({
        policy: name,
        namespace: resource.namespace,
        binding,
        wave: waveOf(undefined, made, { at: place, problems }),
        complianceType,
        data: made,
        at: place,
      });
    }
  }
  if (bound.size === 0) problems.push(leftOut('the policies have no bindingRules and are for all sites', at));
}

/** A generated or handwritten Policy with ConfigurationPolicies. */
function addPolicy(
  resource: Resource,
  sources: PolicySources,
  { objects, policies, problems }: Collected,
): void {
  const root = resource.root();
  policies.add(resource.name);
  if (textAt(root, ['spec', 'disabled']) === 'true') {
    problems.push(leftOut(`policy ${maskedWord(resource.name)} is disabled`, placeOf(resource, root)));
    return;
  }
  const { binding, problems: ofBinding } = boundPlacement(resource, sources.resources);
  problems.push(...ofBinding);
  const written = textAt(root, ['metadata', 'annotations', waveAnnotation]);
  for (const template of itemsAt(root, ['spec', 'policy-templates'])) {
    const definition = nodeAt(template, ['objectDefinition']);
    const kind = textAt(definition, ['kind']) ?? '';
    const at = placeOf(resource, template);
    if (kind !== 'ConfigurationPolicy') {
      problems.push(leftOut(`${quoted(kind)} of a policy is not imported`, at));
      continue;
    }
    if (nodeAt(template, ['objectDefinition', 'spec', 'object-templates-raw']) !== undefined)
      problems.push(leftOut('object-templates-raw is a template program and is not imported', at));
    for (const item of itemsAt(definition, ['spec', 'object-templates'])) {
      const object = nodeAt(item, ['objectDefinition']);
      const data = object && toData(object);
      const own = placeOf(resource, item);
      if (!isRecord(data)) {
        problems.push(leftOut('an entry of object-templates without objectDefinition is not imported', own));
        continue;
      }
      const complianceType = textAt(item, ['complianceType']) ?? 'musthave';
      objects.push({
        policy: resource.name,
        namespace: resource.namespace,
        binding,
        wave: waveOf(written, data, { at: own, problems }),
        complianceType,
        data,
        at: own,
      });
    }
  }
}

/** The placement that a PlacementBinding assigns to a policy. */
function boundPlacement(policy: Resource, resources: readonly Resource[]): ReturnType<typeof placementOf> {
  const of = (kind: string): readonly Resource[] => resources.filter((each) => each.kind === kind);
  const bound = of('PlacementBinding').find((each) =>
    itemsAt(each.root(), ['subjects']).some((subject) => textAt(subject, ['name']) === policy.name),
  );
  const name = bound && textAt(bound.root(), ['placementRef', 'name']);
  const placement = [...of('Placement'), ...of('PlacementRule')].find((each) => each.name === name);
  if (placement === undefined) return placementOf(undefined, policy.file);
  const [predicate, ...others] = itemsAt(placement.root(), ['spec', 'predicates']);
  const selector =
    (predicate && nodeAt(predicate, ['requiredClusterSelector'])) ?? nodeAt(placement.root(), ['spec']);
  const { binding, problems } = placementOf(selector, placement.file);
  const left = others.map((other) =>
    leftOut('only the first predicate of a Placement is imported', placeOf(placement, other)),
  );
  return { binding, problems: [...problems, ...left] };
}

interface SourceRequest {
  /** The file that names the path. */
  readonly file: string;
  readonly sources: PolicySources;
  readonly at: Place;
  /** Replaces `$mcp`, as PolicyGenTemplates do. */
  readonly mcp?: string;
}

interface SourceDocuments {
  readonly documents: readonly Readonly<Record<string, unknown>>[];
  readonly problems: readonly Problem[];
}

/** Documents of a source CR, from the folder beside the policy, or from that of the source CRs. */
function sourceDocuments(path: string, { file, sources, at, mcp = '' }: SourceRequest): SourceDocuments {
  const own = posix.join(posix.dirname(file), path);
  const below = path.replace(/^(?:\.\.?\/)*source-crs\//, '');
  const inputs =
    sources.inputs.read(own).kind === 'file' || sources.inputs.list(own) !== undefined
      ? sources.inputs
      : sources.sourceCrs;
  const place = inputs === sources.inputs ? own : below;
  if (inputs?.list(place) !== undefined) {
    const names = (inputs.list(place) ?? []).filter((name) => isYamlName(name));
    const all = names.map((name) => sourceDocuments(posix.join(path, name), { file, sources, at, mcp }));
    return {
      documents: all.flatMap(({ documents }) => documents),
      problems: all.flatMap(({ problems }) => problems),
    };
  }
  const read = inputs?.read(place) ?? { kind: 'absent' };
  const text = read.kind === 'file' ? decodeUtf8(read.bytes) : undefined;
  if (text === undefined) {
    const hint = 'name the folder of the source CRs with --source-crs';
    return {
      documents: [],
      problems: [problem('import/missing', `the source CR ${quoted(path)} does not exist`, { at, hint })],
    };
  }
  const { documents, faults } = readYaml(mcp === '' ? text : text.replaceAll('$mcp', () => mcp));
  const [fault] = faults;
  if (fault !== undefined)
    return { documents: [], problems: [leftOut(`the source CR ${quoted(path)} is not valid YAML`, at)] };
  return { documents: documents.map(toData).filter(isRecord), problems: [] };
}

/** Merge keys of lists in the schema of `openapi.path`. */
function openApiKeys(
  manifest: YamlNode,
  resource: Resource,
  { inputs }: PolicySources,
  problems: Problem[],
): MergeKeys {
  const { file } = resource;
  const path = textAt(manifest, ['openapi', 'path']);
  if (path === undefined) return { definitions: {} };
  const read = inputs.read(posix.join(posix.dirname(file), path));
  const text = read.kind === 'file' ? decodeUtf8(read.bytes) : undefined;
  const [root] = text === undefined ? [] : readYaml(text).documents;
  const data = root && toData(root);
  if (isRecord(data) && isRecord(data['definitions'])) return { definitions: data['definitions'] };
  const message = `the schema ${quoted(path)} has no definitions here; lists of the patches replace those of the object`;
  const hint = 'copy the schema, or check the lists of the object';
  problems.push(problem('import/missing', message, { at: placeOf(resource, manifest), hint }));
  return { definitions: {} };
}

/** The wave of the policy, or of the object. Without either, the first one. Warnings: import/no-place. */
function waveOf(
  written: string | undefined,
  data: Readonly<Record<string, unknown>>,
  { at, problems }: { readonly at: Place; readonly problems: Problem[] },
): number {
  const { metadata } = data;
  const annotations = isRecord(metadata) ? metadata['annotations'] : undefined;
  const own = isRecord(annotations) ? annotations[waveAnnotation] : undefined;
  const wave = Number(written ?? own ?? 0);
  if (Number.isInteger(wave) && wave >= 0) return wave;
  const message = `the wave ${quoted(String(written ?? own))} is not a whole number; the object is in wave 0`;
  problems.push(problem('import/no-place', message, { at, hint: 'rename its file in post-install/' }));
  return 0;
}

function placeOf({ file }: Resource, node: YamlNode): Place {
  return { file, ...node.span };
}

export function leftOut(message: string, at: Place, hint?: string): Problem {
  return problem('import/left-out', message, { at, ...(hint !== undefined && { hint }) });
}
