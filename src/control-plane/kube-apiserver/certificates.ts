import { renewablePair } from '../shared/mounted-paths.js';

/** The serving certificate for clients on the node itself. */
export const localhostCertificate = renewablePair('localhost-serving-cert-certkey');

/**
 * Serving certificates by SNI name. A client that connects to a host name gets the certificate that contains the name. A client
 * that connects to an IP address sends no SNI; kube-apiserver then matches only the names listed here, never the IP addresses in
 * a certificate (k8s.io/apiserver pkg/server/dynamiccertificates). It cannot distinguish the service IP from the node's address
 * either, because kube-proxy has already rewritten it. So the default certificate, that of the service network, contains the
 * service IPs and the extra names; loopback, which is never rewritten, is listed here. The operator lists no host, and its
 * entries stay unchanged.
 */
export const servingCertificates = [
  'service-network-serving-certkey',
  'external-loadbalancer-serving-certkey',
  'internal-loadbalancer-serving-certkey',
].map(renewablePair);
