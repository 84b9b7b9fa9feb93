import { byCodeUnit } from '../../core/compare.js';
import { rfc3339 } from '../../core/rfc3339.js';
import type { Component } from '../../kube/components.js';
import { configMap, secret, type Secret } from '../../kube/core-objects.js';
import type { CertifiedKey } from '../../pki/certified-key.js';
import {
  isSignerName,
  isTargetName,
  targetRotators,
  type RotatorName,
  type TargetRotator,
} from '../../pki/rotators.js';
import { signerRotators, type SignerRotator, type ObjectPlace } from '../../pki/signer-rotators.js';
import { configMaps, secrets } from './kinds.js';
import type { LoopInputs } from './loop-inputs.js';
import type { Loop } from './loop.js';
import type { Store } from './store.js';

/** The cert rotation loop of a component: writes a pair and a CA bundle for each of its rotators, unless a valid pair exists. */
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

/** Namespace and name of a rotator's Secret; Secrets of node certificates have the node name as suffix. */
export function rotatorSecret(
  rotator: SignerRotator | TargetRotator,
  { node }: Pick<LoopInputs, 'node'>,
): ObjectPlace {
  const { namespace, name } = rotator.secret;
  const isOfNode = 'isOfNode' in rotator;
  return { namespace, name: isOfNode ? `${name}-${node.name}` : name };
}

/** notBefore of the pair, RFC 3339 in UTC. Operators reissue pairs without this annotation. Source: library-go certrotation */
export const notBeforeAnnotation = 'auth.openshift.io/certificate-not-before';
/** notAfter of the pair, in the same format. */
export const notAfterAnnotation = 'auth.openshift.io/certificate-not-after';

/** Additional annotations that operators compare: the issuer, and the host names, which must match the operator's exactly. */
export function issuanceAnnotations(
  component: Component,
  { issuerCommonName, hostnames }: Pick<CertifiedKey, 'issuerCommonName' | 'hostnames'>,
): Readonly<Record<string, string>> {
  return {
    ...owner(component),
    'auth.openshift.io/certificate-issuer': issuerCommonName,
    ...(hostnames.length > 0 && {
      'auth.openshift.io/certificate-hostnames': hostnames.toSorted(byCodeUnit).join(','),
    }),
  };
}

/** Labels of objects that a rotator manages. */
export function managedLabels(type: 'signer' | 'target' | 'ca-bundle'): Readonly<Record<string, string>> {
  return { 'auth.openshift.io/managed-certificate-type': type };
}

/** Source: JiraComponent of each rotator of the three operators */
function owner(component: Component): Readonly<Record<string, string>> {
  return { 'openshift.io/owning-component': component };
}

interface Keeping {
  readonly place: ObjectPlace;
  readonly component: Component;
  readonly type: 'signer' | 'target';
}

/** The Secret of a pair, with the annotations from which operators decide when to rotate. */
function pairSecret({ place, component, type }: Keeping, pair: CertifiedKey): Secret {
  const annotations = {
    ...issuanceAnnotations(component, pair),
    [notAfterAnnotation]: rfc3339(pair.notAfter),
    [notBeforeAnnotation]: rfc3339(pair.notBefore),
  };
  return secret({ ...place, labels: managedLabels(type), annotations }, 'kubernetes.io/tls', {
    'tls.crt': pair.chainPem,
    'tls.key': pair.keyPem.reveal(),
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
  readonly inputs: LoopInputs;
}

function rotateSigner(store: Store, name: RotatorName, { rotator, inputs }: Rotating<SignerRotator>): Store {
  const pair = inputs.issued[name];
  if (pair === undefined) return store;
  const place = rotatorSecret(rotator, inputs);
  const { component } = rotator;
  const rotated = holds(store, place, inputs.now)
    ? store
    : store.put(pairSecret({ place, component, type: 'signer' }, pair));
  return withAuthorities(rotated, rotator, pair);
}

function rotateTarget(store: Store, name: RotatorName, { rotator, inputs }: Rotating<TargetRotator>): Store {
  const pair = inputs.issued[name];
  const place = rotatorSecret(rotator, inputs);
  if (pair === undefined || holds(store, place, inputs.now)) return store;
  return store.put(pairSecret({ place, component: rotator.component, type: 'target' }, pair));
}

/** True if an unexpired pair exists: operators keep it, and so must a second run. */
function holds(store: Store, { namespace, name }: ObjectPlace, now: Date): boolean {
  const present = store.get(secrets, namespace, name);
  const notAfter = present?.metadata.annotations?.[notAfterAnnotation];
  return notAfter !== undefined && Date.parse(notAfter) > now.getTime();
}

/**
 * Keeps earlier CAs in the bundle, so that certificates they signed stay valid. The bundle of an intermediate CA contains its issuer
 * too. Source: cluster-kube-controller-manager-operator pkg/operator/targetconfigcontroller, ManageCSRIntermediateCABundle
 */
function withAuthorities(store: Store, rotator: SignerRotator, pair: CertifiedKey): Store {
  const { bundle, component, signer } = rotator;
  const { namespace, name } = bundle;
  const present = store.get(configMaps, namespace, name)?.data['ca-bundle.crt'] ?? '';
  const authorities = signer === undefined ? [pair.certPem] : (pair.chainPem.match(certificatePattern) ?? []);
  const missing = authorities.filter((certPem) => !present.includes(certPem));
  if (missing.length === 0) return store;
  const metadata = { namespace, name, labels: managedLabels('ca-bundle'), annotations: owner(component) };
  return store.put(configMap(metadata, { 'ca-bundle.crt': `${missing.join('')}${present}` }));
}

const certificatePattern = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n/g;
