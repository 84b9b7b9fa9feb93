import { problem, type Problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { applySchema } from '../../formats/apply-schema.js';
import type { Draft, FieldSchema, TypedSchema } from '../../formats/field-schema.js';
import {
  nodeAt,
  pathText,
  spanOf,
  type FieldPath,
  type Target,
  type YamlNode,
} from '../../formats/yaml/yaml-tree.js';
import { readYaml } from '../../formats/yaml/yaml.js';

/** Fields of a cluster that we support. Source: kubernetes/client-go tools/clientcmd/api/v1/types.go, Cluster */
interface ClusterFields {
  readonly server: string;
  readonly 'certificate-authority'?: string;
  readonly 'certificate-authority-data'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
  readonly 'tls-server-name'?: string;
  readonly 'proxy-url'?: string;
}

/**
 * Fields of a user that we support. Source: kubernetes/client-go tools/clientcmd/api/v1/types.go, AuthInfo. `token-file` is the
 * name of `tokenFile` in @kubernetes/client-node.
 */
interface UserFields {
  readonly 'client-certificate'?: string;
  readonly 'client-certificate-data'?: string;
  readonly 'client-key'?: string;
  readonly 'client-key-data'?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly 'token-file'?: string;
  readonly username?: string;
  readonly password?: string;
  readonly as?: string;
  readonly exec?: unknown;
  readonly 'auth-provider'?: unknown;
}

const text: FieldSchema = { type: 'string' };
const secret: FieldSchema = { type: 'string', writeOnly: true };
const any: FieldSchema = {};

const clusterSchema: TypedSchema<ClusterFields> = {
  schema: {
    type: 'object',
    required: ['server'],
    additionalProperties: false,
    properties: {
      server: { type: 'string', description: 'URL of the API, such as https://api.site1.example.com:6443.' },
      'certificate-authority': text,
      'certificate-authority-data': secret,
      'insecure-skip-tls-verify': { type: 'boolean' },
      'tls-server-name': text,
      'proxy-url': secret,
      // Without effect here. OpenShift 3 wrote api-version.
      ...{ 'disable-compression': { type: 'boolean' }, extensions: any, 'api-version': any },
    },
  },
};

const userSchema: TypedSchema<UserFields> = {
  schema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      ...{ 'client-certificate': text, 'client-certificate-data': secret },
      ...{ 'client-key': text, 'client-key-data': secret },
      ...{ token: secret, tokenFile: text, 'token-file': text },
      ...{ username: text, password: secret, as: text },
      ...{
        exec: { type: 'object', additionalProperties: any },
        'auth-provider': { type: 'object', additionalProperties: any },
      },
      extensions: any,
    },
  },
};

/** A part of a kubeconfig with its path, such as `users[0].user`. */
export interface KubeconfigPart<T> {
  readonly fields: Draft<T>;
  /** A problem at a field of this part; the message starts with the field's path. */
  readonly refuse: (field: string, what: string, hint?: string) => Problem;
}

/** Cluster and user of the current context. Other contexts, clusters and users are not read. */
export interface CurrentContext {
  readonly cluster: KubeconfigPart<ClusterFields>;
  readonly user: KubeconfigPart<UserFields>;
  readonly namespace?: string;
}

/** Hint for a file that is not usable. */
export const otherKubeconfig =
  'use the auth/kubeconfig that sno-install wrote, or name another file with --kubeconfig';

/** Reads the current context of a kubeconfig. Unknown fields are problems. Problems: cluster/kubeconfig. */
export function currentContext(kubeconfig: string, file: string): Result<CurrentContext> {
  const { documents, faults } = readYaml(kubeconfig);
  const [root, second] = documents;
  if (faults.length > 0 || root?.kind !== 'map' || second !== undefined) {
    const span = faults[0]?.span ?? second?.span;
    return failure(refusal(`${file} is not a valid kubeconfig`, { file, ...span }));
  }
  const name = nodeAt(root, ['current-context']);
  if (name?.kind !== 'scalar' || name.text === '')
    return failure(refusal(`current-context is missing in ${file}`, { file }));
  const context = entryOf({ root, file }, 'contexts', ['current-context']);
  if (!context.ok) return context;
  const path = [...context.value, 'context'];
  const [cluster, user] = [
    partOf({ root, file }, [...path, 'cluster'], { list: 'clusters', schema: clusterSchema }),
    partOf({ root, file }, [...path, 'user'], { list: 'users', schema: userSchema }),
  ];
  if (!cluster.ok || !user.ok)
    return failure(...[cluster, user].flatMap((each) => (each.ok ? [] : each.problems)));
  const namespace = nodeAt(root, [...path, 'namespace']);
  const isNamed = namespace?.kind === 'scalar' && namespace.text !== '';
  return success({ cluster: cluster.value, user: user.value, ...(isNamed && { namespace: namespace.text }) });
}

interface Kubeconfig {
  readonly root: YamlNode;
  readonly file: string;
}

/** Path of the only entry of a list that has the name in the field `from`. */
function entryOf({ root, file }: Kubeconfig, list: string, from: FieldPath): Result<FieldPath> {
  const name = nodeAt(root, from);
  const entries = nodeAt(root, [list]);
  const names = entries?.kind === 'list' ? entries.items.map((entry) => nodeAt(entry, ['name'])) : [];
  const wanted = name?.kind === 'scalar' && name.text !== '' ? name.text : undefined;
  const found = names.flatMap((each, index) =>
    each?.kind === 'scalar' && each.text === wanted ? [index] : [],
  );
  const [only, other] = found;
  const refuse = (path: FieldPath, what: string): Result<never> =>
    failure(refusal(`${pathText(path)} ${what}`, { file, path: pathText(path), ...spanOf(root, path) }));
  if (only === undefined) return refuse(from, `names no entry of ${list}`);
  // Source: kubernetes/client-go tools/clientcmd/api/v1/conversion.go rejects duplicate names.
  if (other !== undefined) return refuse([list, other, 'name'], `has the name of ${list}[${only}]`);
  return success([list, only]);
}

interface PartSource<T> {
  readonly list: 'clusters' | 'users';
  readonly schema: TypedSchema<T>;
}

/** The cluster or user that the field `from` of the context names. */
function partOf<T>(
  kubeconfig: Kubeconfig,
  from: FieldPath,
  { list, schema }: PartSource<T>,
): Result<KubeconfigPart<T>> {
  const entry = entryOf(kubeconfig, list, from);
  if (!entry.ok) return entry;
  const { root, file } = kubeconfig;
  const path = [...entry.value, list === 'clusters' ? 'cluster' : 'user'];
  const node = nodeAt(root, path);
  const placeOf = (below: FieldPath, target?: Target): NonNullable<Problem['at']> => ({
    file,
    path: pathText([...path, ...below]),
    ...spanOf(root, [...path, ...below], target),
  });
  const { draft, misfits } = applySchema(schema, node ?? { kind: 'map', entries: [], span: root.span });
  if (misfits.length > 0)
    return failure(
      ...misfits.map((misfit) =>
        refusal(`${pathText(path)}: ${misfit.message}`, placeOf(misfit.path, misfit.target), misfit.hint),
      ),
    );
  const refuse = (field: string, what: string, hint?: string): Problem =>
    refusal(`${pathText([...path, field])} ${what}`, placeOf([field], 'key'), hint);
  return success({ fields: draft, refuse });
}

function refusal(message: string, at: NonNullable<Problem['at']>, hint = otherKubeconfig): Problem {
  return problem('cluster/kubeconfig', message, { at, hint });
}
