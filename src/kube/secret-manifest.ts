import { holdsPrivateMaterial } from '../ignition/private-material.js';
import type { KubeObject } from './object.js';

/**
 * Whether a manifest is for its owner alone: a Secret, and whatever else holds something private, such as a proxy's URL with
 * a password or a token in it, whoever wrote it.
 */
export function isSecretManifest({ kind }: Pick<KubeObject, 'kind'>, text: string): boolean {
  return (
    kind === 'Secret' || holdsPrivateMaterial(text) || urlWithUser.test(text) || profilesFolder.test(text)
  );
}

/** NetworkManager takes profiles from files for root alone: they may hold passwords. Source: nm-settings-keyfile(5) */
const profilesFolder = /\/etc\/NetworkManager\/system-connections\//;

/** A digest follows a path, a user does not. */
const urlWithUser = /:\/\/[^\s/@"'<>$]+@/;
