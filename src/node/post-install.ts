import type { Templates } from '../graph/context.js';
import type { NodeFile } from '../ignition/types.js';
import type { KubeObject } from '../kube/object.js';
import { postInstallFiles, postInstallNodeFiles } from '../manifests/post-install/post-install-files.js';
import type { PostInstallObject } from '../manifests/post-install/post-install-objects.js';
import { modeOf } from './live/live-catalog.js';

/** Files that apply the post-install manifests on the installed node; none without objects. */
export interface PostInstallSystem {
  readonly files: readonly NodeFile[];
  /** Lines for node-files.list, which copy these files to the installed node. */
  readonly nodeFiles: string;
}

export interface PostInstallSettings {
  /** The user's other objects. */
  readonly manifests: readonly { readonly object: KubeObject }[];
  /** Limit of a wave. */
  readonly timeoutSeconds: number;
  readonly templates: Templates;
}

export function postInstallSystem(
  objects: readonly PostInstallObject[],
  { manifests, timeoutSeconds, templates }: PostInstallSettings,
): PostInstallSystem {
  if (objects.length === 0) return { files: [], nodeFiles: '' };
  const set = postInstallFiles(objects, manifests);
  return {
    files: [
      ...programFiles(templates),
      secret('settings.env', `# Limit of a wave, in seconds.\nSNO_POST_INSTALL_TIMEOUT=${timeoutSeconds}\n`),
      secret('objects.tsv', set.list),
      ...set.objects.map(({ name, text }) => secret(`objects/${name}`, text)),
    ],
    nodeFiles: postInstallNodeFiles(templates),
  };
}

function secret(path: string, contents: string): NodeFile {
  return { path: `/opt/openshift/post-install/${path}`, mode: 0o600, contents };
}

/** The constant files: `installed/` contains units of the installed node, other folders are paths of the live system. */
function programFiles(templates: Templates): readonly NodeFile[] {
  return templates
    .list('post-install')
    .filter((path) => path.includes('/'))
    .map((path) => {
      const place = path.startsWith('installed/')
        ? path.replace('installed/', '/opt/openshift/bootstrap-in-place/units/')
        : `/${path}`;
      return { path: place, mode: modeOf(place), contents: templates.text(`post-install/${path}`) };
    });
}
