import type { CertifiedKey } from './certified-key.js';
import {
  targetRotators,
  isSignerName,
  type RotatorName,
  type TargetRotator,
  rotatorNames,
} from './rotators.js';
import { type SignerRotator, signerRotators } from './signer-rotators.js';

/** True if the rotator issues its pair for one node, not for the cluster. */
export function isOfNode(name: RotatorName): boolean {
  return 'isOfNode' in rotatorOf(name);
}

function rotatorOf(name: RotatorName): SignerRotator | TargetRotator {
  return isSignerName(name) ? signerRotators[name] : targetRotators[name];
}

/** The installer's pairs that rotators take over, by rotator. */
export function pairsByRotator(
  installers: Readonly<Record<string, CertifiedKey>>,
): Readonly<Partial<Record<RotatorName, CertifiedKey>>> {
  return Object.fromEntries(
    rotatorNames.flatMap((name) => {
      const pair = installers[rotatorOf(name).installers ?? ''];
      return pair === undefined ? [] : [[name, pair] as const];
    }),
  );
}
