import type { Container, Manifest } from './manifest.js';

/** Values of the node for the downward API. */
export interface NodeIdentity {
  readonly nodeName: string;
  readonly addresses: readonly string[];
}

/** A container's command line and variables as the kubelet computes them: downward API first, then `$(NAME)` of earlier variables. */
export function commandOf(
  manifest: Manifest,
  { command, args, env }: Container,
  entrypoint: readonly string[],
  node: NodeIdentity,
): { readonly argv: readonly string[]; readonly environment: ReadonlyMap<string, string> } {
  // Variables of every container. Source: kubernetes.io/docs/concepts/containers/container-environment
  const environment = new Map([
    ['PATH', '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
    ['HOSTNAME', node.nodeName],
  ]);
  const given = new Map<string, string>();
  for (const variable of env) {
    const value =
      'value' in variable
        ? expand(variable.value, given)
        : fieldOf(manifest, variable.valueFrom.fieldRef.fieldPath, node);
    given.set(variable.name, value);
    environment.set(variable.name, value);
  }
  const argv = [...(command ?? entrypoint), ...args].map((word) => expand(word, given));
  return { argv, environment };
}

/** Unknown names stay unchanged, and `$$` becomes `$`. Source: k8s.io/kubernetes third_party/forked/golang/expansion */
function expand(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\$\$|\$\(([^)]*)\)/g, (whole, name?: string) =>
    name === undefined ? '$' : (variables.get(name) ?? whole),
  );
}

function fieldOf({ uid, pod: { metadata } }: Manifest, path: string, node: NodeIdentity): string {
  const key = /\['(.*)'\]$/.exec(path)?.[1] ?? '';
  const fields: Readonly<Record<string, string>> = {
    // The kubelet appends the node name to the name of a static pod.
    'metadata.name': `${metadata.name}-${node.nodeName}`,
    'metadata.namespace': metadata.namespace,
    'metadata.uid': uid,
    [`metadata.labels['${key}']`]: metadata.labels[key] ?? '',
    [`metadata.annotations['${key}']`]: metadata.annotations[key] ?? '',
    'spec.nodeName': node.nodeName,
    'status.hostIP': node.addresses[0] ?? '',
    'status.hostIPs': node.addresses.join(','),
    'status.podIP': node.addresses[0] ?? '',
    'status.podIPs': node.addresses.join(','),
  };
  const value = fields[path];
  if (value === undefined) throw new Error(`no field ${path}`);
  return value;
}
