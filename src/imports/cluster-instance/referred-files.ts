import { problem, type Problem } from '../../core/problem.js';
import type { Inputs } from '../../graph/context.js';
import type { FoundData } from '../../fleet/cluster-instances/data-entry.js';
import { clusterField, placeOf, type Instance } from '../../fleet/cluster-instances/instances.js';
import { dataOf } from '../../fleet/cluster-instances/resource-data.js';
import { textAt, type Resource } from '../../fleet/cluster-instances/resources.js';
import type { Traced } from '../../fleet/traced.js';
import type { FoundPullSecret } from '../configs-of-site.js';
import type { ImportedFile } from '../imported-site.js';
import { tracedText } from '../tracing.js';
import { manifestFiles } from './manifest-files.js';

/** What a cluster refers to by name. */
export interface ReferredFiles {
  readonly pullSecret?: FoundPullSecret;
  readonly trustBundle?: Traced;
  readonly manifests: readonly ImportedFile[];
  readonly problems: readonly Problem[];
}

interface Beside {
  readonly resources: readonly Resource[];
  readonly inputs: Inputs;
}

/** Problems: import/no-pull-secret, import/malformed. Warnings: import/missing, import/left-out. */
export function referredFiles(instance: Instance, beside: Beside): ReferredFiles {
  const look = (kind: 'ConfigMap' | 'Secret', name: string): FoundData | undefined =>
    dataOf(beside.resources, beside.inputs, { kind, name, namespace: instance.resource.namespace });
  const manifests = manifestFiles(instance, beside.inputs, (name) => look('ConfigMap', name));
  const secret = pullSecret(instance, look);
  const bundle = trustBundle(instance, look);
  return {
    ...(secret.found && { pullSecret: secret.found }),
    ...(bundle.found && { trustBundle: bundle.found }),
    manifests: manifests.files,
    problems: [...secret.problems, ...bundle.problems, ...manifests.problems],
  };
}

type Look = (kind: 'ConfigMap' | 'Secret', name: string) => FoundData | undefined;

function pullSecret(
  instance: Instance,
  look: Look,
): { readonly found?: FoundPullSecret; readonly problems: readonly Problem[] } {
  const reference = clusterField(instance, ['pullSecretRef']);
  const data = look('Secret', textAt(reference?.node, ['name']) ?? '');
  const entry = data?.entries.find(({ key }) => key === '.dockerconfigjson');
  if (entry !== undefined)
    return { found: { text: entry.text, origin: { at: entry.at } }, problems: data?.problems ?? [] };
  const at = reference ? placeOf(instance, reference) : { file: instance.resource.file };
  const message = 'the pull secret is not among the files';
  const hint = 'name it with --pull-secret-file, as FILE or as env:NAME, or put the Secret beside them';
  return { problems: [...(data?.problems ?? []), problem('import/no-pull-secret', message, { at, hint })] };
}

function trustBundle(
  instance: Instance,
  look: Look,
): { readonly found?: Traced; readonly problems: readonly Problem[] } {
  const reference = clusterField(instance, ['caBundleRef']);
  if (reference === undefined) return { problems: [] };
  const data = look('ConfigMap', textAt(reference.node, ['name']) ?? '');
  const entry = data?.entries.find(({ text }) => text.includes('-----BEGIN CERTIFICATE-----'));
  if (entry !== undefined)
    return { found: tracedText(entry.text, { at: entry.at }), problems: data?.problems ?? [] };
  const at = placeOf(instance, reference);
  const hint = 'put it beside them, or the certificates into additionalTrustBundle of what is made';
  return {
    problems: [
      ...(data?.problems ?? []),
      problem('import/missing', 'this ConfigMap with certificates is not among the files', { at, hint }),
    ],
  };
}
