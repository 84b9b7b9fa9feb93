import { join } from 'node:path';

import { defaultKubernetesVersion } from '../../../../src/release/kubernetes.js';
import { pathInMirror } from '../../../../src/config/mirror-url.js';
import { publishedCniPlugins, publishedProgram } from '../../../../src/release/published-programs.js';
import { pathOfProgram } from '../../../support/programs.js';
import { createArchive } from '../support/create-archive.js';
import { imageOf, librariesOf, type ImageContents, type Images } from '../support/images.js';
import { serveFiles, type FileServer } from '../support/serve-files.js';
import { sha256OfFile } from '../support/sha256-of-file.js';
import { toolFolder, toolPath } from '../support/tools.js';

/** The image of the tests' own pods; see test/real/tools/programs/http-server. */
export const testImage = 'quay.example.org/http-server:1';

/** The images in the manifests of Kubernetes 1.36.3, with programs built here. */
export async function kubernetesImages(): Promise<Images> {
  const [kubernetes, etcd, programs, coredns] = await Promise.all([
    toolFolder('kubernetes'),
    toolFolder('etcd'),
    toolFolder('programs'),
    toolPath('coredns', 'coredns'),
  ]);
  const registry = 'registry.k8s.io';
  const ofKubernetes = (name: string): ImageContents =>
    imageOf(join(kubernetes, name), `/usr/local/bin/${name}`);
  return {
    [`${registry}/etcd:3.6.8-0`]: {
      files: {
        '/usr/local/bin/etcd': join(etcd, 'etcd'),
        '/usr/local/bin/etcdctl': join(etcd, 'etcdctl'),
      },
    },
    [`${registry}/kube-apiserver:v1.36.3`]: ofKubernetes('kube-apiserver'),
    [`${registry}/kube-controller-manager:v1.36.3`]: ofKubernetes('kube-controller-manager'),
    [`${registry}/kube-scheduler:v1.36.3`]: ofKubernetes('kube-scheduler'),
    [`${registry}/kube-proxy:v1.36.3`]: await withPacketFilter(ofKubernetes('kube-proxy')),
    [`${registry}/coredns/coredns:v1.14.2`]: imageOf(coredns, '/coredns'),
    [`${registry}/pause:3.10.2`]: imageOf(join(programs, 'pause'), '/pause'),
    [testImage]: imageOf(join(programs, 'http-server'), '/http-server'),
  };
}

/** The files that a Fedora CoreOS node downloads, and the `aio.files` entries for them. */
export interface MirroredFiles {
  readonly server: FileServer;
  readonly entries: readonly object[];
}

/**
 * Serves kubelet, kubectl and the archive of CNI plugins under the names of a mirror. The archive is written to `folder`. The
 * programs were built here and their hashes differ from the published ones, so each needs an entry.
 */
export async function serveMirror(folder: string): Promise<MirroredFiles> {
  const archive = join(folder, 'cni-plugins.tgz');
  const plugins = await toolFolder('cni-plugins');
  await createArchive(['--gzip', '--file', archive, '--directory', plugins, '.']);
  const builds: readonly Build[] = [
    {
      published: publishedProgram('kubelet', defaultKubernetesVersion, 'amd64').url,
      source: await toolPath('kubernetes', 'kubelet'),
      entry: { path: '/usr/local/bin/kubelet' },
    },
    {
      published: publishedProgram('kubectl', defaultKubernetesVersion, 'amd64').url,
      source: installed('kubectl'),
      entry: { path: '/usr/local/bin/kubectl' },
    },
    {
      published: publishedCniPlugins('amd64').url,
      source: archive,
      entry: { path: '/opt/cni-plugins.tgz', mode: '0600', unpackInto: '/opt/cni/bin' },
    },
  ];
  const server = await serveFiles(
    Object.fromEntries(builds.map(({ published, source }) => [pathInMirror(published), source])),
  );
  return {
    server,
    entries: await Promise.all(
      builds.map(async ({ published, source, entry }) => ({
        url: `${server.url}/${pathInMirror(published)}`,
        sha256: await sha256OfFile(source),
        ...entry,
      })),
    ),
  };
}

interface Build {
  /** The upstream URL of the file. */
  readonly published: string;
  readonly source: string;
  readonly entry: object;
}

/** kube-proxy configures nftables with the program nft, which its image contains. */
async function withPacketFilter({ files, ...more }: ImageContents): Promise<ImageContents> {
  const nft = installed('nft');
  return { files: { ...files, '/usr/sbin/nft': nft, ...(await librariesOf(nft)) }, ...more };
}

function installed(program: string): string {
  const path = pathOfProgram(program);
  if (path === undefined) throw new Error(`${program} is missing`);
  return path;
}
