import { rfc3339 } from '../../../core/rfc3339.js';
import { configMap, secret, type Secret } from '../../../kube/core-objects.js';
import type { CertifiedKey } from '../../tls/certified-key.js';
import type { Component } from '../components.js';
import type { ControlPlaneInputs } from '../inputs.js';
import { configMaps, secrets } from '../kinds.js';
import type { Loop } from '../loop.js';
import type { Store } from '../store.js';
import {
  isSignerName,
  isTargetName,
  signerRotators,
  targetRotators,
  type ObjectPlace,
  type RotatorName,
  type SignerRotator,
  type TargetRotator,
} from './rotators.js';

/** The cert rotation loop of a component: a pair and a bundle for each of its rotators, unless a valid pair is there. */
export function certRotation(component: Component): Loop {
  return {
    name: 'cert rotation',
    component,
    run: (store, inputs) => {
      const withSigners = entriesOf(signerRotators, component).reduce(
        (each, [name, rotator]) => rotateSigner(each, name, { rotator, inputs }),
        store,
      );
      return entriesOf(targetRotators, component).reduce(
        (each, [name, rotator]) => rotateTarget(each, name, { rotator, inputs }),
        withSigners,
      );
    },
  };
}

/** Where a rotator's Secret is: those of the node end in its name. */
export function secretPlaceOf(
  rotator: SignerRotator | TargetRotator,
  { node }: Pick<ControlPlaneInputs, 'node'>,
): ObjectPlace {
  const { namespace, name } = rotator.secret;
  const isOfNode = 'isOfNode' in rotator;
  return { namespace, name: isOfNode ? `${name}-${node.name}` : name };
}

/** A pair as a rotator keeps it, with the annotations that operators read to know when to rotate. */
function pairSecret(place: ObjectPlace, type: 'signer' | 'target', pair: CertifiedKey): Secret {
  const annotations = {
    'auth.openshift.io/certificate-issuer': pair.issuerCommonName,
    'auth.openshift.io/certificate-not-after': rfc3339(pair.notAfter),
    'auth.openshift.io/certificate-not-before': rfc3339(pair.notBefore),
    ...(pair.hostnames.length > 0 && {
      'auth.openshift.io/certificate-hostnames': pair.hostnames.toSorted().join(','),
    }),
  };
  const labels = { 'auth.openshift.io/managed-certificate-type': type };
  return secret({ ...place, labels, annotations }, 'kubernetes.io/tls', {
    'tls.crt': pair.chainPem,
    'tls.key': pair.keyPem,
  });
}

function entriesOf<R extends SignerRotator | TargetRotator>(
  table: Readonly<Record<string, R>>,
  component: Component,
): readonly (readonly [RotatorName, R])[] {
  return Object.entries(table).flatMap(([name, rotator]) =>
    (isSignerName(name) || isTargetName(name)) && rotator.component === component
      ? [[name, rotator] as const]
      : [],
  );
}

interface Rotating<R> {
  readonly rotator: R;
  readonly inputs: ControlPlaneInputs;
}

function rotateSigner(store: Store, name: RotatorName, { rotator, inputs }: Rotating<SignerRotator>): Store {
  const pair = inputs.issued[name];
  if (pair === undefined) return store;
  const place = secretPlaceOf(rotator, inputs);
  const rotated = holds(store, place, inputs.now) ? store : store.put(pairSecret(place, 'signer', pair));
  return withAuthority(rotated, rotator.bundle, pair.certPem);
}

function rotateTarget(store: Store, name: RotatorName, { rotator, inputs }: Rotating<TargetRotator>): Store {
  const pair = inputs.issued[name];
  const place = secretPlaceOf(rotator, inputs);
  if (pair === undefined || holds(store, place, inputs.now)) return store;
  return store.put(pairSecret(place, 'target', pair));
}

/** Whether a pair is there that has not ended: operators keep such a one, and so must a second run. */
function holds(store: Store, { namespace, name }: ObjectPlace, now: Date): boolean {
  const present = store.get(secrets, namespace, name);
  const notAfter = present?.metadata.annotations?.['auth.openshift.io/certificate-not-after'];
  return notAfter !== undefined && Date.parse(notAfter) > now.getTime();
}

/** An authority that once was in a bundle stays there, so that what it signed goes on being accepted. */
function withAuthority(store: Store, { namespace, name }: ObjectPlace, certPem: string): Store {
  const present = store.get(configMaps, namespace, name)?.data['ca-bundle.crt'] ?? '';
  if (present.includes(certPem)) return store;
  const labels = { 'auth.openshift.io/managed-certificate-type': 'ca-bundle' };
  return store.put(configMap({ namespace, name, labels }, { 'ca-bundle.crt': `${certPem}${present}` }));
}
