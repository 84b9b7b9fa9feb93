import { writeYaml } from '../../formats/yaml/write-yaml.js';
import type { Templates } from '../../graph/context.js';
import type { KubeObject } from '../../kube/object.js';
import { sourceOf, type PostInstallObject } from './post-install-objects.js';
import { awaitedSubscriptions } from './subscriptions.js';

/** The set of objects as files, equal on the live system and the installed node. */
export interface PostInstallFiles {
  /** Contents of `objects.tsv`: a line with the names of the columns, then a line per object; separated by tabs. */
  readonly list: string;
  /** In order. `name` is relative to `objects/`. */
  readonly objects: readonly { readonly name: string; readonly text: string }[];
}

/** `manifests` are the user's other objects, whose Subscriptions the objects may need. */
export function postInstallFiles(
  objects: readonly PostInstallObject[],
  manifests: readonly { readonly object: KubeObject }[],
): PostInstallFiles {
  const subscriptionsOf = awaitedSubscriptions({ objects, manifests });
  const files = objects.map((each, index) => ({
    name: fileName(each, index + 1),
    text: writeYaml(each.object),
    each,
  }));
  return {
    list: head + files.map(({ name, each }) => listLine(each, name, subscriptionsOf(each))).join(''),
    objects: files.map(({ name, text }) => ({ name, text })),
  };
}

/** The lines of node-files.list that copy the set and its programs to the installed node. */
export function postInstallNodeFiles(templates: Templates): string {
  return templates.text('post-install/node-files.list');
}

const head = `# ${['wave', 'file', 'apiVersion', 'kind', 'namespace', 'name', 'source', 'subscriptions'].join('\t')}\n`;

function listLine(each: PostInstallObject, file: string, subscriptions: readonly string[]): string {
  const { apiVersion, kind, metadata } = each.object;
  const columns = [
    String(each.wave),
    file,
    apiVersion,
    kind,
    metadata.namespace === undefined || metadata.namespace === '' ? '-' : metadata.namespace,
    metadata.name,
    sourceOf(each),
    subscriptions.length === 0 ? '-' : subscriptions.join(','),
  ];
  return `${columns.map(column).join('\t')}\n`;
}

/** A control character would end the column or the line. */
function column(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '?');
}

/** Such as `0001-ptpconfig-slave.yaml`. */
function fileName({ object: { kind, metadata } }: PostInstallObject, number: number): string {
  const words = `${kind}-${metadata.name}`.toLowerCase().replaceAll(/[^a-z0-9.-]+/g, '-');
  return `${String(number).padStart(4, '0')}-${words.slice(0, maxWords)}.yaml`;
}

/** Far below the limit of file names, 255 bytes. */
const maxWords = 100;
