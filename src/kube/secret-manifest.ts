import { containsPrivateMaterial } from '../ignition/private-material.js';
import type { KubeObject } from './object.js';

/**
 * True if a manifest must have mode 0600: Secrets, and generated or user manifests with private data, such as a proxy URL with
 * a password or token.
 */
export function isSecretManifest({ kind }: Pick<KubeObject, 'kind'>, text: string): boolean {
  return (
    kind === 'Secret' || containsPrivateMaterial(text) || urlWithUser.test(text) || profilesFolder.test(text)
  );
}

/** NetworkManager requires connection profiles to be readable by root only, since they may contain passwords. Source: nm-settings-keyfile(5) */
const profilesFolder = /\/etc\/NetworkManager\/system-connections\//;

/** The class excludes `/`, so that `@` before an image digest does not match. */
const urlWithUser = /:\/\/[^\s/@"'<>$]+@/;
