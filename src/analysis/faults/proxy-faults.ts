import type { Fault } from './fault.js';
import { pullFails } from './pull-signs.js';

/** Faults of the way to a registry through a proxy. Source of the texts: Go net/http transport.go, dialConn */
export const proxyFaults: readonly Fault[] = [
  {
    id: 'proxy-login',
    title: 'the proxy requires a login',
    stages: 'any',
    signs: pullFails(
      /Proxy Authentication Required|proxy authentication required|authenticationrequired|(?:StatusCode:|HTTP status:|registry) 407\b/,
    ),
    cause: 'The proxy of install-config.yaml has no user and password, or wrong ones.',
    fix: 'Write them into proxy.httpProxy and proxy.httpsProxy of install-config.yaml: http://USER:PASSWORD@HOST:PORT, with special characters in percent encoding.',
  },
  {
    id: 'proxy-speaks-http',
    title: 'the proxy speaks HTTP, but is configured with https://',
    stages: 'any',
    signs: pullFails(
      /proxyconnect tcp: (?:tls: first record does not look like|http: server gave HTTP response)/,
    ),
    cause: 'proxy.httpsProxy begins with https://, which means TLS to the proxy itself.',
    fix: 'Write proxy.httpsProxy in install-config.yaml with http://: it is the proxy for HTTPS targets, and its own protocol is usually HTTP.',
  },
  {
    id: 'proxy-certificate',
    title: 'the certificate of the proxy is not accepted',
    stages: 'any',
    signs: pullFails(/proxyconnect tcp: .*(?:x509: |tls: )/),
    cause: 'proxy.httpsProxy begins with https://, and the certificate of the proxy itself fails the check.',
    fix: 'Add the CA of the proxy to additionalTrustBundle in install-config.yaml if the authority is unknown; otherwise correct the certificate, or use the HTTP port of the proxy.',
  },
  {
    id: 'proxy-unreachable',
    title: 'the proxy cannot be reached',
    stages: 'any',
    signs: pullFails(/proxyconnect tcp: /),
    cause: 'The name of the proxy does not resolve, or no connection to its port is possible.',
    fix: 'Correct proxy.httpsProxy in install-config.yaml; on the node: `curl -v -x PROXY https://REGISTRY/v2/`.',
  },
  {
    id: 'proxy-answers-otherwise',
    title: 'the proxy does not answer as an HTTP proxy',
    stages: 'any',
    signs: pullFails(/malformed HTTP (?:response|version|status code)/),
    cause: 'The port of proxy.httpsProxy expects TLS, or belongs to another service such as SOCKS.',
    fix: 'Write the HTTP port of the proxy into proxy.httpsProxy of install-config.yaml, or https:// if the port expects TLS.',
  },
  {
    id: 'proxy-refuses-registry',
    title: 'the proxy refuses the registry',
    stages: 'any',
    // The status text of the proxy's answer to CONNECT. The excluded ones are of registry-server-error and registry-rate-limit.
    signs: pullFails(
      /Get \\*"?https:[^"\s]*"?: (?!EOF\b|Service Unavailable|Bad Gateway|Gateway Time|Internal Server Error|Too Many Requests)(?:[A-Z][A-Za-z]*(?: [A-Za-z]+)*|unknown status code)(?=[\])\n\\"]|$)/,
    ),
    cause: 'The proxy does not allow connections to the host in the line.',
    fix: 'Allow the host on the proxy, add it to proxy.noProxy in install-config.yaml if it is reachable directly, or use a mirror.',
  },
  {
    id: 'registry-speaks-http',
    title: 'the registry speaks HTTP, not HTTPS',
    stages: 'any',
    signs: pullFails(
      /server gave HTTP response to HTTPS client|tls: first record does not look like a TLS handshake/,
    ),
    cause: 'The port in the pull spec answers HTTP without TLS. The installation pulls only with HTTPS.',
    fix: 'Serve the registry with TLS and add its CA to additionalTrustBundle in install-config.yaml, or write its HTTPS port.',
  },
  {
    id: 'registry-web-page',
    title: 'a web page answers instead of the registry',
    stages: 'any',
    signs: pullFails(
      /invalid character '<' looking for beginning of value|can't talk to a V1 (?:docker|container) registry/,
    ),
    cause: 'The name leads to a web server, or to the login page of a proxy or guest network.',
    fix: 'On the node: `curl -i https://REGISTRY/v2/`. Correct the name or port of the registry, or log in to the network.',
  },
];
