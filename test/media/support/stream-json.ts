import { sha256 } from '../../../src/formats/sha256.js';

/** Contents of the images in `streamJson`. */
export const liveIsoBytes = Buffer.from('the bytes of a live ISO, of which a server may lose some');

interface StreamOptions {
  readonly location?: string;
  readonly build?: string;
  readonly hash?: string;
}

/** Stream metadata in the form of openshift/installer data/data/coreos, with small images. */
export function streamOf({
  location = 'https://rhcos.example.com/rhcos-9.6.20250523-0-live-iso.x86_64.iso',
  build = '9.6.20250523-0',
  hash = sha256(liveIsoBytes),
}: StreamOptions = {}): Readonly<Record<string, unknown>> {
  const file = (name: string): object => ({ location: new URL(name, location).href, sha256: hash });
  return {
    stream: 'rhcos-4.21',
    metadata: { 'last-modified': '2026-04-28T22:11:54Z', generator: 'plume cosa2stream 211dee6' },
    architectures: {
      aarch64: { artifacts: { qemu: { release: build, formats: {} } }, images: {} },
      x86_64: {
        artifacts: {
          metal: {
            release: build,
            formats: {
              '4k.raw.gz': { disk: { ...file('metal4k.raw.gz'), 'uncompressed-sha256': hash } },
              iso: { disk: { location, sha256: hash } },
              pxe: { kernel: file('kernel'), initramfs: file('initramfs.img'), rootfs: file('rootfs.img') },
            },
          },
        },
        images: {},
      },
    },
  };
}

/** As `openshift-install coreos print-stream-json` prints it. */
export function streamJson(options?: StreamOptions): string {
  return JSON.stringify(streamOf(options));
}

/** As release-manifests/0000_50_installer_coreos-bootimages.yaml of a release image. */
export function bootImagesYaml(streams: Readonly<Record<string, object>>, main?: object): string {
  const text = (value: object): string => JSON.stringify(JSON.stringify(value));
  return [
    'apiVersion: v1',
    'kind: ConfigMap',
    'metadata: { name: coreos-bootimages, namespace: openshift-machine-config-operator }',
    'data:',
    '  releaseVersion: 0.0.1-snapshot',
    ...(main === undefined ? [] : [`  stream: ${text(main)}`]),
    ...(Object.keys(streams).length === 0 ? [] : [`  streams: ${text(streams)}`]),
    '',
  ].join('\n');
}
