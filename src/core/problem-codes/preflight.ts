import type { CodeTable } from './entry.js';

/** Answers of name servers, registries and time servers that would make the installation on the node fail. */
export const preflightCodes = {
  'preflight/dns-unanswered': {
    severity: 'error',
    fault: 'the name servers do not answer queries for the names of the cluster',
    why: 'The node would not find its own API, and users would not find the console.',
    fix: 'Name the servers that the node uses with `--dns-server`, or repair those that do not answer.',
  },
  'preflight/name-missing': {
    severity: 'error',
    fault: 'DNS has no address for `api`, `api-int` or `*.apps` of the cluster',
    why: 'The kubelet waits for `api-int`, and the console operator for its route, forever.',
    fix: 'Add records with the address of the node, or set `dns.local` in sno-config.yaml; then the node answers for these names itself.',
    example: [
      'api.sno.example.com.      A  192.168.126.10',
      'api-int.sno.example.com.  A  192.168.126.10',
      '*.apps.sno.example.com.   A  192.168.126.10',
    ].join('\n'),
  },
  'preflight/name-known-to-node-alone': {
    severity: 'warning',
    fault: 'with `dns.local`, DNS has no address for `api` or `*.apps`',
    why: 'The installation does not need these records, but users on other machines do.',
    fix: 'Add records with the address of the node, or add the names to the hosts files of the users.',
  },
  'preflight/name-elsewhere': {
    severity: 'error',
    fault: 'a name of the cluster does not resolve to `nodeIP`',
    why: 'Requests for the API would go to another machine, or fail.',
    fix: 'Correct the record, or `nodeIP` in sno-config.yaml.',
  },
  'preflight/name-outside': {
    severity: 'warning',
    fault: 'a name of the cluster resolves to an address outside the machine networks',
    why: 'Requests would reach another machine, or the node by way of NAT or a load balancer. The name servers of this machine may also answer differently from those of the node.',
    fix: 'Correct the records, or query the name servers of the node with `--dns-server`.',
  },
  'preflight/node-name': {
    severity: 'warning',
    fault: 'the name of the node is missing from DNS, or differs from `hostname`',
    why: 'Certificates and node objects contain the name that the node has when it boots. The name must be the same at every boot.',
    fix: 'Correct the records, or set `hostname` in sno-config.yaml.',
  },
  'preflight/image-nowhere': {
    severity: 'error',
    fault: 'the registry configuration does not allow the node to pull an image',
    why: 'The source is blocked, and mirrors are used only for images named by digest. This image has a tag.',
    fix: 'Write the digest in `releaseImage`, or allow contact to the source.',
  },
  'preflight/image-missing': {
    severity: 'error',
    fault: 'an image that the node needs first is not in any registry',
    why: 'The node would retry for an hour and stop.',
    fix: 'Mirror the release, or correct the pull spec.',
    example: '$ sno-install images --output imageset',
  },
  'preflight/signature-missing': {
    severity: 'error',
    fault: 'a registry has an image of the release without its sigstore signature',
    why: 'From 4.21 on, CRI-O runs the release image only with a signature, from 4.22 on all images of the release. It reads the signature from the registry that serves the image, as the tag `sha256-DIGEST.sig`.',
    fix: 'Mirror the signatures: `oc-mirror` 4.21 or later copies them; by hand, copy the tag, for example with `skopeo copy`.',
  },
  'preflight/image-digest': {
    severity: 'error',
    fault: 'a registry returned content that does not match the digest',
    why: 'The node rejects the image.',
    fix: 'Mirror the image again.',
  },
  'preflight/registry-refused': {
    severity: 'error',
    fault: 'a registry rejects the credentials in `pullSecret`',
    why: 'The node has no other credentials.',
    fix: 'Download the pull secret again, and add the credentials of your mirrors.',
  },
  'preflight/registry-untrusted': {
    severity: 'error',
    fault:
      'the certificate of a registry is not signed by a public authority or one in `additionalTrustBundle`',
    why: 'The node does not connect to this registry.',
    fix: 'Add the authority to `additionalTrustBundle`, or correct the certificate of the registry.',
  },
  'preflight/registry-unreachable': {
    severity: 'error',
    fault: 'a registry cannot be reached',
    why: 'The node would retry for an hour and stop.',
    fix: 'Add a mirror to `imageDigestSources`, or a proxy to `proxy`. Or run the preflight in the network of the node.',
  },
  'preflight/registry-failing': {
    severity: 'error',
    fault: 'the answer of a registry does not conform to the distribution specification',
    why: 'The node cannot use such an answer.',
    fix: 'Look at the log of the registry, or of the proxy in front of it.',
  },
  'preflight/place-failing': {
    severity: 'warning',
    fault: 'an image is missing from one of its registries',
    why: 'The node tries this registry first at each pull, and then the next one.',
    fix: 'Repair the mirror, or remove it from `imageDigestSources`.',
  },
  'preflight/proxy': {
    severity: 'error',
    fault: 'registries cannot be reached through the proxy in install-config.yaml',
    why: 'The node has no other connection to them.',
    fix: 'Correct `proxy.httpsProxy` with its user and password, or add the registry to `proxy.noProxy`.',
  },
  'preflight/time-server': {
    severity: 'warning',
    fault: 'a server in `ntpSources` does not answer',
    why: 'The node uses the other servers.',
    fix: 'Correct `ntpSources`, or allow UDP port 123.',
  },
  'preflight/no-time': {
    severity: 'error',
    fault: 'none of the servers in `ntpSources` answers',
    why: 'A node with a wrong clock rejects all certificates.',
    fix: 'Correct `ntpSources`, or allow UDP port 123.',
  },
  'preflight/clock': {
    severity: 'error',
    fault: 'the clock of this machine is ahead by more than `certificates.backdate`',
    why: 'Its new certificates would not be valid yet when the node boots.',
    fix: 'Set the clock, and run `create` again with `--renew`.',
  },
  'preflight/clock-off': {
    severity: 'warning',
    fault: 'the clock of this machine is wrong',
    why: 'New certificates become valid too late or expire too early.',
    fix: 'Set the clock.',
  },
} as const satisfies CodeTable;

export type PreflightCode = keyof typeof preflightCodes;
