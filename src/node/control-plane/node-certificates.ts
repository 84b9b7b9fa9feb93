import {
  nodeIssuedCertificates,
  type NodeIssuedCertificate,
} from '../../control-plane/etcd/node-issued-certificates.js';
import { placeholderNode } from '../../control-plane/shared/placeholders.js';
import { byCodeUnit } from '../../core/compare.js';
import { parseAddress } from '../../formats/cidr.js';
import { componentNames, resourceFolder } from '../../kube/components.js';
import { identityKey, identityOf } from '../../kube/identity.js';
import type { KubeObject } from '../../kube/object.js';
import { secrets } from '../../control-plane/loops/kinds.js';
import type { ControlPlaneInputs } from '../../control-plane/loops/loop-inputs.js';
import {
  issuanceAnnotations,
  managedLabels,
  notAfterAnnotation,
  notBeforeAnnotation,
} from '../../control-plane/loops/rotation.js';
import type { Store } from '../../control-plane/loops/store.js';
import { manifestName } from './exported-manifests.js';

/** Certificates that only the node can issue; the input of sno-control-plane.sh. */
export interface NodeCertificates {
  readonly certificates: readonly {
    readonly name: string;
    /** File below tls/, without extension. */
    readonly signer: string;
    /** In the syntax of `openssl req -subj`. */
    readonly subject: string;
    /** In the syntax of openssl extension files. */
    readonly subjectAltName: string;
    readonly extendedKeyUsage: string;
    readonly days: number;
    /** Target paths below etc-kubernetes/, without `.crt` and `.key`. */
    readonly files: readonly string[];
  }[];
  /** Secrets to which the node adds the certificates and keys in `data`. */
  readonly secrets: readonly {
    /** Name below manifests/. */
    readonly file: string;
    readonly object: KubeObject;
    readonly data: readonly { readonly key: string; readonly pair: string; readonly part: 'crt' | 'key' }[];
    /** Names of the annotations for the validity of a certificate; absent if the Secret contains several certificates. */
    readonly dates?: { readonly pair: string; readonly notBefore: string; readonly notAfter: string };
  }[];
}

/** The certificates that the node issues; undefined if there are none. */
export function nodeCertificates(inputs: ControlPlaneInputs, store: Store): NodeCertificates | undefined {
  const issued = nodeIssuedCertificates(inputs);
  if (issued.length === 0) return undefined;
  return { certificates: issued.map(certificateOf), secrets: secretsOf(issued, store, inputs) };
}

/** The identities (`identityKey`) of the Secrets that the node completes. */
export function secretsOfNode(certificates: NodeCertificates | undefined): ReadonlySet<string> {
  return new Set(certificates?.secrets.map(({ object }) => identityKey(identityOf(object))));
}

function certificateOf(issued: NodeIssuedCertificate): NodeCertificates['certificates'][number] {
  return {
    name: issued.name,
    signer: issued.signer,
    subject: `/CN=${issued.subject.commonName}`,
    subjectAltName: issued.hostnames.map((name) => `${isAddress(name) ? 'IP' : 'DNS'}:${name}`).join(','),
    extendedKeyUsage: issued.usages.join(','),
    days: issued.days,
    files: issued.files.map(({ certFile }) =>
      certFile.replace(/\.crt$/, '').replace(resourceFolder, 'static-pod-resources'),
    ),
  };
}

function isAddress(name: string): boolean {
  return name === placeholderNode.ip || parseAddress(name) !== undefined;
}

function secretsOf(
  issued: readonly NodeIssuedCertificate[],
  store: Store,
  inputs: ControlPlaneInputs,
): NodeCertificates['secrets'] {
  const places = issued.flatMap(({ name, objects }) => objects.map((object) => ({ pair: name, ...object })));
  const names = [...new Set(places.map(({ name }) => name))].toSorted(byCodeUnit);
  return names.map((name) => {
    const data = places
      .filter((place) => place.name === name)
      .flatMap(({ pair, certKey, keyKey }) => [
        { key: certKey, pair, part: 'crt' as const },
        { key: keyKey, pair, part: 'key' as const },
      ]);
    const own = issued.find(({ objects }) => objects[0]?.name === name);
    if (own !== undefined) return { ...ownSecret(own, name, inputs), data };
    const object = shellOf(name, store);
    return { file: manifestName(object), object, data };
  });
}

const { namespace } = componentNames.etcd;

/** A certificate's own Secret as a rotator would create it, without the data that only the node knows. */
function ownSecret(
  { name: pair, signer, hostnames }: NodeIssuedCertificate,
  name: string,
  { issued }: ControlPlaneInputs,
): Pick<NodeCertificates['secrets'][number], 'file' | 'object' | 'dates'> {
  const issuerCommonName = issued[signer]?.commonName;
  if (issuerCommonName === undefined) throw new Error(`internal error: ${signer} was not issued`);
  const annotations = issuanceAnnotations('etcd', { issuerCommonName, hostnames });
  const object = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace, labels: managedLabels('target'), annotations },
    type: 'kubernetes.io/tls',
  };
  const dates = { pair, notBefore: notBeforeAnnotation, notAfter: notAfterAnnotation };
  return { file: manifestName(object), object, dates };
}

/** The Secret that the control loops created, without its data. */
function shellOf(name: string, store: Store): KubeObject {
  const made = store.get(secrets, namespace, name);
  if (made === undefined) throw new Error(`internal error: no loop made ${name}`);
  return { apiVersion: 'v1', kind: 'Secret', metadata: made.metadata, type: made.type };
}
