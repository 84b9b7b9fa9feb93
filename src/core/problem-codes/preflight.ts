import type { CodeTable } from './entry.js';

/** Answers of name servers, registries and time servers that would make the installation on the node fail. */
export const preflightCodes = {
  'preflight/dns-unanswered': {
    severity: 'error',
    fault: 'the name servers answer for the names of the cluster',
    why: 'The node would not find its own API, nor anybody its console.',
    fix: 'Name the servers that the node asks with `--dns-server`, or look after those that do not answer.',
  },
  'preflight/name-missing': {
    severity: 'error',
    fault:
      'DNS has addresses for `api`, `api-int` and `*.apps` of the cluster, unless the node answers for them itself',
    why: 'The kubelet waits for `api-int` for ever, and the console operator for a route that is answered.',
    fix: 'Make records with the address of the node, or set `dns.local` in sno-config.yaml.',
  },
  'preflight/name-known-to-node-alone': {
    severity: 'warning',
    fault: 'with `dns.local` DNS has addresses for `api` and `*.apps` too',
    why: 'The installation does not need them, but who uses the cluster from elsewhere does.',
    fix: 'Make records with the address of the node, or have users name it in their own hosts files.',
  },
  'preflight/name-elsewhere': {
    severity: 'error',
    fault: 'the names of the cluster lead to `nodeIP`',
    why: 'Another machine would be asked for the API, or nobody.',
    fix: 'Correct the records, or `nodeIP`.',
  },
  'preflight/name-outside': {
    severity: 'warning',
    fault: 'the names of the cluster lead to the machine networks',
    why: 'The node would be reached by a way around, or another machine; name servers may answer others otherwise than the node.',
    fix: 'Correct the records, or ask the name servers of the node with `--dns-server`.',
  },
  'preflight/node-name': {
    severity: 'warning',
    fault: 'DNS and the configs agree on what the node is called',
    why: 'Certificates and node objects bear the name that the node has when it boots; it must be the same at every boot.',
    fix: 'Correct the records, or set `hostname` in sno-config.yaml.',
  },
  'preflight/image-nowhere': {
    severity: 'error',
    fault: 'there is a place that a node may ask for each image',
    why: 'With its source blocked an image by tag is asked for nowhere: mirrors are asked by digest only.',
    fix: 'Give `releaseImage` by digest, or let the source be contacted.',
  },
  'preflight/image-missing': {
    severity: 'error',
    fault: 'a registry has each image that the node pulls first',
    why: 'The node would ask for an hour and stop.',
    fix: 'Mirror the release (`sno-install images --format imageset`), or correct the pull spec.',
  },
  'preflight/image-digest': {
    severity: 'error',
    fault: 'what a registry has under a digest is of that digest',
    why: 'The node refuses anything else.',
    fix: 'Mirror the image again.',
  },
  'preflight/registry-refused': {
    severity: 'error',
    fault: 'registries accept the credentials of `pullSecret`',
    why: 'The node has no others.',
    fix: 'Download the pull secret again, and add those of your mirrors.',
  },
  'preflight/registry-untrusted': {
    severity: 'error',
    fault: 'registries show a certificate of a public authority, or of one in `additionalTrustBundle`',
    why: 'The node speaks to no other.',
    fix: 'Add the authority to `additionalTrustBundle`, or correct the certificate of the registry.',
  },
  'preflight/registry-unreachable': {
    severity: 'error',
    fault: 'registries can be reached',
    why: 'The node would ask for an hour and stop.',
    fix: 'Name a mirror in `imageDigestSources`, or a proxy in `proxy`; or run this where the network is that of the node.',
  },
  'preflight/registry-failing': {
    severity: 'error',
    fault: 'registries answer as the distribution specification says',
    why: 'The node could not make anything of their answer either.',
    fix: 'Look into the log of the registry, or of what stands in front of it.',
  },
  'preflight/place-failing': {
    severity: 'warning',
    fault: 'every place that a node asks for an image has it',
    why: 'The node goes on to the next one, each time it pulls.',
    fix: 'Mend the mirror, or take it out of `imageDigestSources`.',
  },
  'preflight/proxy': {
    severity: 'error',
    fault: 'the proxy of install-config.yaml lets registries be reached',
    why: 'The node has no other way.',
    fix: 'Correct `proxy.httpsProxy` with its user and password, or name the registry in `proxy.noProxy`.',
  },
  'preflight/time-server': {
    severity: 'warning',
    fault: 'every server of `ntpSources` tells the time',
    why: 'The node takes the others.',
    fix: 'Correct `ntpSources`, or let UDP port 123 through.',
  },
  'preflight/no-time': {
    severity: 'error',
    fault: 'a server of `ntpSources` tells the time',
    why: 'A node whose clock is wrong believes no certificate.',
    fix: 'Correct `ntpSources`, or let UDP port 123 through.',
  },
  'preflight/clock': {
    severity: 'error',
    fault:
      'the clock of the machine that makes certificates is not ahead by more than `certificates.backdate`',
    why: 'Its certificates would not hold yet when the node boots.',
    fix: 'Set the clock right, and make the configs anew.',
  },
  'preflight/clock-off': {
    severity: 'warning',
    fault: 'the clock of the machine that makes certificates is right',
    why: 'Certificates end earlier than they say, or start later.',
    fix: 'Set the clock right.',
  },
} as const satisfies CodeTable;

export type PreflightCode = keyof typeof preflightCodes;
