import type { OutputFile } from '../../core/output-file.js';
import { isYamlName, readYaml } from '../../formats/yaml/yaml.js';
import { toData } from '../../formats/yaml/yaml-tree.js';
import { textAt } from '../../kube/fields.js';
import { configsIn, unpackedBytes } from '../config-pieces.js';
import { partsOf, unpackUpTo } from '../node-parts.js';

/** Something that `why` explains: an output, or a file or unit in it. */
export interface Subject {
  /** Path in the output directory. */
  readonly output: string;
  /** The path on the node, within an Ignition config. */
  readonly inside?: string;
  /** Names used by the assets: the path, the path below /opt/openshift, or the unit name. */
  readonly names: readonly string[];
  readonly bytes: Buffer;
}

/** The manifest folder of the live system. Source: openshift/installer pkg/asset/ignition/bootstrap */
const manifestRoot = '/opt/openshift/';
const unitFolder = '/etc/systemd/system/';

/** Lists everything that the outputs of a target contain. */
export function subjectsOf(outputs: readonly OutputFile[]): readonly Subject[] {
  return outputs.flatMap(({ path, contents }) => {
    const bytes = Buffer.from(contents);
    const unpack = unpackUpTo(unpackedBytes);
    const configs = path.endsWith('.ign') ? configsIn(bytes, unpack) : [];
    const inside = configs.flatMap(({ place, config }) =>
      partsOf(config, unpack).map((part) => ({
        output: path,
        inside: `${place}${part.path}`,
        names: [part.path, ...shortNames(part.path)],
        bytes: part.isFetched ? Buffer.alloc(0) : part.bytes,
      })),
    );
    return [{ output: path, names: [path], bytes }, ...inside];
  });
}

function shortNames(path: string): readonly string[] {
  if (path.startsWith(manifestRoot)) return [path.slice(manifestRoot.length)];
  // A drop-in counts as part of its unit.
  return path.startsWith(unitFolder) ? [path.slice(unitFolder.length).replace(/\.d\/[^/]+$/, '')] : [];
}

/**
 * Resolves an argument of `why`: an output, `NAME.ign:/path`, a node path, a unit, a manifest by path or name, or an object as
 * `Kind/namespace/name` or `Kind/name`.
 */
export function findSubjects(question: string, subjects: readonly Subject[]): readonly Subject[] {
  const exact = subjects.filter(
    ({ output, inside }) => question === (inside === undefined ? output : `${output}:${inside}`),
  );
  if (exact.length > 0) return exact;
  const named = subjects.filter(({ inside, names }) => inside === question || names.includes(question));
  if (named.length > 0) return named;
  const manifests = subjects.filter(({ names }) =>
    names.some((name) => /^(?:manifests|openshift)\//.test(name)),
  );
  const byFile = manifests.filter(({ names }) => names.some((name) => name.endsWith(`/${question}`)));
  return byFile.length > 0 ? byFile : subjects.filter((subject) => holdsObject(subject, question));
}

function holdsObject({ names, bytes }: Subject, question: string): boolean {
  const [kind, ...rest] = question.split('/');
  if (kind === undefined || !/^[A-Z]\w+$/.test(kind) || rest.length === 0 || rest.length > 2) return false;
  if (!names.some((name) => isYamlName(name)) || !bytes.includes(kind)) return false;
  return readYaml(bytes.toString('utf8')).documents.some((document) => {
    const object = toData(document);
    const place = [textAt(object, ['metadata', 'namespace']), textAt(object, ['metadata', 'name'])];
    return (
      textAt(object, ['kind']) === kind &&
      place.filter((part) => part !== undefined).join('/') === rest.join('/')
    );
  });
}
