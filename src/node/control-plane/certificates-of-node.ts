import {
  nodeIssuedCertificates,
  type NodeIssuedCertificate,
} from '../../control-plane/etcd/node-certificates.js';
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
  managedAs,
  notAfterAnnotation,
  notBeforeAnnotation,
} from '../../control-plane/loops/rotation.js';
import type { Store } from '../../control-plane/loops/store.js';
import { manifestName } from './exported.js';

/** What only the node can certify, as its script sno-control-plane.sh reads it. */
export interface NodeCertificates {
  readonly certificates: readonly {
    readonly name: string;
    /** File base below tls/. */
    readonly signer: string;
    /** As `openssl req -subj` takes it. */
    readonly subject: string;
    /** As openssl's extension files take them. */
    readonly subjectAltName: string;
    readonly extendedKeyUsage: string;
    readonly days: number;
    /** Where the pair goes, without `.crt` and `.key`, below etc-kubernetes/. */
    readonly files: readonly string[];
  }[];
  /** The Secrets that hold pairs, whole but for those. */
  readonly secrets: readonly {
    /** Name below manifests/. */
    readonly file: string;
    readonly object: KubeObject;
    readonly data: readonly { readonly key: string; readonly pair: string; readonly part: 'crt' | 'key' }[];
    /** The annotations that say when a pair begins and ends, each by its name; absent where the Secret holds several pairs. */
    readonly dates?: { readonly pair: string; readonly notBefore: string; readonly notAfter: string };
  }[];
}

/** What is left to the node; undefined when nothing is. */
export function nodeCertificates(inputs: ControlPlaneInputs, store: Store): NodeCertificates | undefined {
  const issued = nodeIssuedCertificates(inputs);
  if (issued.length === 0) return undefined;
  return { certificates: issued.map(certificateOf), secrets: secretsOf(issued, store, inputs) };
}

/** The identities (`identityKey`) of the Secrets that the node writes. */
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

/** A pair's own Secret, which no loop could make: as a rotator keeps it, but for what only the node can say. */
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
    metadata: { name, namespace, labels: managedAs('target'), annotations },
    type: 'kubernetes.io/tls',
  };
  const dates = { pair, notBefore: notBeforeAnnotation, notAfter: notAfterAnnotation };
  return { file: manifestName(object), object, dates };
}

/** A Secret as the loops made it, without its contents. */
function shellOf(name: string, store: Store): KubeObject {
  const made = store.get(secrets, namespace, name);
  if (made === undefined) throw new Error(`internal error: no loop made ${name}`);
  return { apiVersion: 'v1', kind: 'Secret', metadata: made.metadata, type: made.type };
}
