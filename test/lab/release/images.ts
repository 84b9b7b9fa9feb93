import { existsSync, realpathSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { pathOfProgram } from '../../support/programs.js';
import { imageOf, type ImageContents, type Images } from '../../real/control-plane/support/images.js';
import { toolFolder, toolPath } from '../../real/control-plane/support/tools.js';

/** The pull spec of an image of the stub release. */
export function imageName(key: string): string {
  return `registry.lab.example/ocp/${key}:lab`;
}

/**
 * The images of the programs that run as containers: the real etcd and Kubernetes, and the stub's own. Writes below the folder.
 */
export async function releaseImages(minor: number, folder: string): Promise<Images> {
  const minorFile = join(folder, 'release-minor');
  writeFileSync(minorFile, String(minor));
  const [kubernetes, etcd, stub] = await Promise.all([
    toolFolder('kubernetes'),
    toolFolder('etcd'),
    toolPath('stub-release', 'stub-release'),
  ]);
  const image = (
    own: readonly string[],
    real: Readonly<Record<string, string>> = {},
    base: readonly string[] = [],
  ): ImageContents => ({
    files: {
      ...filesOf(base),
      ...Object.fromEntries(own.map((name) => [`/usr/bin/${name}`, stub])),
      ...real,
    },
  });
  const shell = ['bash', 'chmod', 'flock', 'ionice', 'nice', 'sleep'];
  const components = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'];
  const binaries = Object.fromEntries(components.map((name) => [`/usr/bin/${name}`, join(kubernetes, name)]));
  const etcds = { '/usr/bin/etcd-upstream': join(etcd, 'etcd'), '/usr/bin/etcdctl': join(etcd, 'etcdctl') };
  return {
    [imageName('pod')]: imageOf(await toolPath('programs', 'pause'), '/pause'),
    [imageName('etcd')]: image(['etcd'], etcds, shell),
    [imageName('hyperkube')]: image(
      ['hyperkube', 'watch-termination'],
      { ...binaries, '/etc/stub-release-minor': minorFile },
      shell,
    ),
    [imageName('cluster-etcd-operator')]: image(['cluster-etcd-operator'], {}, shell),
    [imageName('cluster-kube-apiserver-operator')]: image(['cluster-kube-apiserver-operator'], {}, shell),
    [imageName('cluster-policy-controller')]: image(['cluster-policy-controller'], {}, shell),
    [imageName('machine-config-operator')]: image(['machine-config-controller', 'machine-config-server']),
    [imageName('cluster-version-operator')]: image(['cluster-version-operator']),
    [imageName('web')]: imageOf(await toolPath('programs', 'http-server'), '/http-server'),
  };
}

/** Files of an image: host programs with their shared libraries, and additional programs. */
export function filesOf(
  programs: readonly string[],
  others: readonly string[] = [],
): Readonly<Record<string, string>> {
  const paths = programs.map((name) => {
    const path = pathOfProgram(name);
    if (path === undefined) throw new Error(`${name} is missing`);
    return [`/usr/bin/${name}`, realpathSync(path)] as const;
  });
  const libraries = [...paths.map(([, path]) => path), ...others].flatMap((path) => librariesOf(path));
  return {
    ...Object.fromEntries(paths),
    ...(programs.includes('bash') && { '/bin/bash': realpathSync('/bin/bash') }),
    ...Object.fromEntries(libraries.map((path) => [path, realpathSync(path)])),
  };
}

function librariesOf(program: string): readonly string[] {
  const { stdout } = spawnSync('ldd', [program], { encoding: 'utf8' });
  return [...stdout.matchAll(/(\/\S+)/g)].flatMap(([, path]) =>
    path !== undefined && existsSync(path) ? [path] : [],
  );
}
