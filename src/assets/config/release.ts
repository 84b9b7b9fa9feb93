import { defineAsset } from '../../graph/asset.js';
import { installConfig } from './install-config.js';
import type { MachinePool } from './install-config-model.js';
import { snoConfig } from './sno-config.js';

/** The release payload to install. */
export interface Release {
  /** Pull spec, by tag or by digest. */
  readonly image: string;
  /** Absent when neither the tag nor `releaseVersion` of sno-config.yaml says it. `text` is `<major>.<minor>`. */
  readonly version?: { readonly major: number; readonly minor: number; readonly text: string };
}

/** The payload: OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE, else `releaseImage` of sno-config.yaml, else the default release. */
export const release = defineAsset({
  name: 'config/release',
  needs: { install: installConfig, sno: snoConfig },
  make: ({ install, sno }, { environment }): Release => {
    const image =
      environment.releaseImageOverride ?? sno.releaseImage ?? defaultImage(install.controlPlane.architecture);
    const version = versionIn(sno.releaseVersion ?? tagOf(image));
    return { image, ...(version && { version }) };
  },
});

/** The release that is installed when nobody names one. */
const defaultVersion = '4.21.0';

/** How the tags of quay.io/openshift-release-dev/ocp-release name each architecture. */
const tagArchitectures: Readonly<Record<MachinePool['architecture'], string>> = {
  amd64: 'x86_64',
  arm64: 'aarch64',
  ppc64le: 'ppc64le',
  s390x: 's390x',
};

function defaultImage(architecture: MachinePool['architecture']): string {
  return `quay.io/openshift-release-dev/ocp-release:${defaultVersion}-${tagArchitectures[architecture]}`;
}

function tagOf(image: string): string {
  return /:([^/:@]+)$/.exec(image.replace(/@.*$/, ''))?.[1] ?? '';
}

function versionIn(text: string): Release['version'] | undefined {
  const found = /^v?(\d+)\.(\d+)(?:[.-]|$)/.exec(text);
  if (!found) return undefined;
  const [major, minor] = [Number(found[1]), Number(found[2])];
  return { major, minor, text: `${major}.${minor}` };
}
