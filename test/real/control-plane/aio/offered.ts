import { join } from 'node:path';

import { defaultKubernetesVersion } from '../../../../src/release/kubernetes.js';
import { placeInMirror } from '../../../../src/config/mirror-url.js';
import { publishedCniPlugins, publishedProgram } from '../../../../src/release/published-programs.js';
import { pathOfProgram } from '../../../support/programs.js';
import { createArchive } from '../support/create-archive.js';
import { imageOf, librariesOf, type ImageContents, type Images } from '../support/images.js';
import { serveFiles, type FileServer } from '../support/serve-files.js';
import { sha256OfFile } from '../support/sha256-of-file.js';
import { toolFolder, toolPath } from '../support/tools.js';

/** What the tests' own pods run; see test/real/tools/programs/http-server. */
export const testImage = 'quay.example.org/http-server:1';

/** The images that the manifests of Kubernetes 1.36.3 name, made of programs built here. */
export async function offeredImages(): Promise<Images> {
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

/** What a node of Fedora CoreOS fetches, and the entries of `aio.files` that say so. */
export interface OfferedFiles {
  readonly server: FileServer;
  readonly entries: readonly object[];
}

/**
 * Serves kubelet, kubectl and the archive of CNI plugins, by the names that a mirror of the published ones has; `folder` is
 * for the archive. They were built here and have other hashes than the published ones, so that each takes an entry.
 */
export async function offeredFiles(folder: string): Promise<OfferedFiles> {
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
    Object.fromEntries(builds.map(({ published, source }) => [placeInMirror(published), source])),
  );
  return {
    server,
    entries: await Promise.all(
      builds.map(async ({ published, source, entry }) => ({
        url: `${server.url}/${placeInMirror(published)}`,
        sha256: await sha256OfFile(source),
        ...entry,
      })),
    ),
  };
}

interface Build {
  /** The URL of what it stands for. */
  readonly published: string;
  readonly source: string;
  readonly entry: object;
}

/** kube-proxy writes nftables by the program nft, as its own image has it. */
async function withPacketFilter({ files, ...more }: ImageContents): Promise<ImageContents> {
  const nft = installed('nft');
  return { files: { ...files, '/usr/sbin/nft': nft, ...(await librariesOf(nft)) }, ...more };
}

function installed(program: string): string {
  const path = pathOfProgram(program);
  if (path === undefined) throw new Error(`${program} is missing`);
  return path;
}
