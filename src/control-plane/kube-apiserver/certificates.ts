import { renewablePair } from '../shared/mounted-paths.js';

/** For clients on the node itself. */
export const localhostCertificate = renewablePair('localhost-serving-cert-certkey');

/**
 * Which certificate answers whom. A client that asks for a host gets the one that holds the name. One that asks for an
 * address names nothing in its hello, and kube-apiserver then looks only at names given here, never at the addresses in
 * a certificate (k8s.io/apiserver pkg/server/dynamiccertificates). It cannot tell the service's address from the node's
 * either, since kube-proxy has rewritten it by then. So the default certificate, that of the service network, holds the
 * service's addresses and the extra names; loopback, which is never rewritten, is named here. The operator names no
 * host, and what it would write is left as it is.
 */
export const servingCertificates = [
  'service-network-serving-certkey',
  'external-loadbalancer-serving-certkey',
  'internal-loadbalancer-serving-certkey',
].map(renewablePair);
