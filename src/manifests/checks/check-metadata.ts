import { problem, type Problem } from '../../core/problem.js';
import { quoted, quotedName, maskedWord } from '../../core/quoted.js';
import { fieldAt } from '../../kube/fields.js';
import { isRecord } from '../../core/is-record.js';
import { groupOf } from '../../kube/identity.js';
import { isQualifiedName } from '../../kube/label-syntax.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import { nodeAt, type FieldPath } from '../../formats/yaml/yaml-tree.js';
import type { Scope } from '../../release/served-at.js';
import type { SourcedObject } from '../../kube/manifest.js';
import { labelValue } from '../schemas/value-forms.js';

/**
 * Reports metadata that the API server rejects or ignores.
 * Problems: manifest/metadata, manifest/missing-field, manifest/server-field, manifest/ignored-field.
 */
export function metadataProblems(
  objects: readonly SourcedObject[],
  scopeOf: (object: SourcedObject['object']) => Scope | undefined,
): readonly Problem[] {
  return objects.flatMap((sourced) => [
    ...nameProblems(sourced),
    ...namespaceNameProblems(sourced),
    ...scopeProblems(sourced, scopeOf(sourced.object)),
    ...labelProblems(sourced),
    ...annotationProblems(sourced),
    ...serverFieldProblems(sourced),
  ]);
}

/** A naming rule and its description for messages. */
interface NameRule {
  readonly isValid: (name: string) => boolean;
  readonly expected: string;
}

/** Source of the rules: k8s.io/apimachinery pkg/util/validation and pkg/api/validation/path */
const subdomain: NameRule = {
  isValid: (name) =>
    name.length <= 253 &&
    /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/.test(name),
  expected: 'lower-case letters, digits, "-" and ".", with a letter or digit at both ends of each part',
};

const label: NameRule = {
  isValid: (name) => name.length <= 63 && /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(name),
  expected: 'at most 63 lower-case letters, digits and "-", with a letter or digit at both ends',
};

const serviceName: NameRule = {
  isValid: (name) => name.length <= 63 && /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/.test(name),
  expected: 'at most 63 lower-case letters, digits and "-", with a letter first and a letter or digit last',
};

const pathSegment: NameRule = {
  isValid: (name) => name !== '.' && name !== '..' && !/[/%]/.test(name),
  expected: 'a text without "/" and "%"',
};

const cronJobName: NameRule = {
  isValid: (name) => name.length <= 52 && subdomain.isValid(name),
  expected: `at most 52 characters: ${subdomain.expected}`,
};

/** Rules of kinds with special names. Source: kubernetes/kubernetes pkg/apis, the validation of each group */
const nameRules: Readonly<Record<string, NameRule>> = {
  '/Namespace': label,
  '/Service': serviceName,
  'batch/CronJob': cronJobName,
  ...Object.fromEntries(
    [
      ...['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding'].map(
        (kind) => `rbac.authorization.k8s.io/${kind}`,
      ),
      // These kinds have their own rules, such as an address, a signer or mixed case.
      'certificates.k8s.io/CertificateSigningRequest',
      'certificates.k8s.io/ClusterTrustBundle',
      'networking.k8s.io/IPAddress',
      'storage.k8s.io/CSIDriver',
    ].map((kind) => [kind, pathSegment]),
  ),
};

function nameProblems({ object, source }: SourcedObject): readonly Problem[] {
  const { name } = object.metadata;
  const rule = nameRules[`${groupOf(object.apiVersion)}/${object.kind}`] ?? subdomain;
  // Longer names are already reported.
  if (name.length > 253 || rule.isValid(name)) return [];
  const message = `${quoted(name)} is not a name for a ${maskedWord(object.kind)}, expected ${rule.expected}`;
  return [
    problem('manifest/metadata', message, {
      at: manifestFieldPlace(source, ['metadata', 'name']),
      hint: suggested(name, rule),
    }),
  ];
}

/** The name in lower case with dashes, if that is valid. */
function suggested(name: string, { isValid }: NameRule): string | undefined {
  const fixed = name.toLowerCase().replaceAll(/[_\s:/]+/g, '-');
  return isValid(fixed) && /^[\w .:/-]+$/.test(name) ? `write ${quoted(fixed)}` : undefined;
}

function namespaceNameProblems({ object, source }: SourcedObject): readonly Problem[] {
  const { namespace } = object.metadata;
  if (namespace === undefined || namespace === '' || label.isValid(namespace)) return [];
  const message = `${quoted(namespace)} is not a name for a namespace, expected ${label.expected}`;
  const at = manifestFieldPlace(source, ['metadata', 'namespace']);
  return [problem('manifest/metadata', message, { at, hint: suggested(namespace, label) })];
}

/** Source: library-go pkg/assets/create (cluster-bootstrap sends the namespace of the object); apiserver pkg/registry/rest BeforeCreate */
function scopeProblems({ object, source }: SourcedObject, scope: Scope | undefined): readonly Problem[] {
  const { name, namespace = '' } = object.metadata;
  const what = `${maskedWord(object.kind)} ${maskedWord(name)}`;
  if (scope === 'namespaced' && namespace === '') {
    return [
      problem('manifest/missing-field', `metadata.namespace is missing: ${what} lives in a namespace`, {
        at: manifestFieldPlace(source, ['metadata', 'namespace']),
        hint: 'set the namespace; unlike kubectl, the bootstrap has no default namespace',
      }),
    ];
  }
  // ClusterVersion has a namespace in openshift-install's manifests and in ours.
  if (scope !== 'cluster' || namespace === '' || object.kind === 'ClusterVersion') return [];
  const message = `${what} belongs to the whole cluster, so its namespace is ignored`;
  const at = manifestFieldPlace(source, ['metadata', 'namespace']);
  return [problem('manifest/ignored-field', message, { at, hint: 'remove metadata.namespace' })];
}

/** Paths of labels and annotations: those of the object and of its pod templates. */
const metadataPaths: readonly FieldPath[] = [
  ['metadata'],
  ['spec', 'template', 'metadata'],
  ['spec', 'jobTemplate', 'spec', 'template', 'metadata'],
];

/** Groups with pod templates. The path may have another meaning in other groups. */
const templateGroups: readonly string[] = ['', 'apps', 'batch'];

function metadataMaps(
  { object, source }: SourcedObject,
  field: string,
): readonly { readonly path: FieldPath; readonly entries: readonly (readonly [string, string])[] }[] {
  const paths = templateGroups.includes(groupOf(object.apiVersion))
    ? metadataPaths
    : metadataPaths.slice(0, 1);
  return paths.map((each) => {
    const path = [...each, field];
    const node = nodeAt(source.root, path);
    const entries = node?.kind === 'map' ? node.entries : [];
    const texts = entries.flatMap(({ key, value }) =>
      value.kind === 'scalar' && typeof value.value === 'string' ? [[key, value.value] as const] : [],
    );
    return { path, entries: texts };
  });
}

function keyProblem({ source }: SourcedObject, path: FieldPath, what: string): Problem {
  const key = String(path.at(-1));
  const message = `${quotedName(key)} is not a key for ${what}, expected letters, digits, "-", "_" and ".", with a letter or digit at both ends and at most 63 characters`;
  return problem('manifest/metadata', message, {
    at: manifestFieldPlace(source, path, 'key'),
    hint: 'a prefix of a domain and "/" is allowed',
  });
}

function labelProblems(sourced: SourcedObject): readonly Problem[] {
  return metadataMaps(sourced, 'labels').flatMap(({ path, entries }) =>
    entries.flatMap(([key, value]) => [
      ...(isQualifiedName(key) ? [] : [keyProblem(sourced, [...path, key], 'a label')]),
      ...(labelValue.isValid(value) ? [] : [valueProblem(sourced, [...path, key], value)]),
    ]),
  );
}

function valueProblem({ source }: SourcedObject, path: FieldPath, value: string): Problem {
  const message = `${quoted(value)} is not a value for a label, expected at most 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends`;
  return problem('manifest/metadata', message, {
    at: manifestFieldPlace(source, path),
    hint: 'put other values into an annotation',
  });
}

/** Source: k8s.io/apimachinery pkg/api/validation, TotalAnnotationSizeLimitB */
const maxAnnotationBytes = 256 * 1024;

function annotationProblems(sourced: SourcedObject): readonly Problem[] {
  return metadataMaps(sourced, 'annotations').flatMap(({ path, entries }) => {
    const bytes = entries.reduce(
      (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
      0,
    );
    // Annotation keys may contain upper-case letters before the slash.
    const wrong = entries.filter(([key]) => !isQualifiedName(key.toLowerCase()));
    const message = `the annotations have ${bytes} bytes, expected at most ${maxAnnotationBytes}`;
    return [
      ...wrong.map(([key]) => keyProblem(sourced, [...path, key], 'an annotation')),
      ...(bytes <= maxAnnotationBytes
        ? []
        : [
            problem('manifest/metadata', message, {
              at: manifestFieldPlace(sourced.source, path, 'key'),
              hint: 'put large values into a ConfigMap',
            }),
          ]),
    ];
  });
}

/** Source: apiserver pkg/registry/rest FillObjectMetaSystemFields and BeforeCreate, pkg/registry/generic/registry Create */
const ignoredFields: readonly string[] = [
  ...['creationTimestamp', 'deletionTimestamp', 'generation', 'managedFields', 'selfLink', 'uid'],
];

function serverFieldProblems({ object, source }: SourcedObject): readonly Problem[] {
  const holds = (field: string): boolean => {
    const value = fieldAt(object, ['metadata', field]);
    return value !== undefined && value !== null && value !== '';
  };
  const at = (field: string) => manifestFieldPlace(source, ['metadata', field], 'key');
  const ignored = ignoredFields.filter(holds);
  const [first] = ignored;
  const owners = fieldAt(object, ['metadata', 'ownerReferences']);
  const isOwned = Array.isArray(owners) && owners.some(isRecord);
  return [
    ...(holds('resourceVersion')
      ? [
          problem('manifest/server-field', 'metadata.resourceVersion prevents the creation of the object', {
            at: at('resourceVersion'),
            hint: 'remove it; the API server sets it',
          }),
        ]
      : []),
    ...(first === undefined
      ? []
      : [
          problem(
            'manifest/ignored-field',
            `the API server sets ${ignored.map((each) => `metadata.${each}`).join(', ')} itself`,
            {
              at: at(first),
              hint: ignored.length === 1 ? 'remove it' : 'remove them',
            },
          ),
        ]),
    ...(isOwned
      ? [
          problem(
            'manifest/ignored-field',
            'metadata.ownerReferences names an owner by its uid, which differs between clusters: the garbage collector deletes the object',
            {
              at: at('ownerReferences'),
              hint: 'remove it',
            },
          ),
        ]
      : []),
  ];
}
