import { certificateFaults } from './certificate-faults.js';
import type { Fault } from './fault.js';
import { imageFaults } from './image-faults.js';
import { policyFaults } from './policy-faults.js';
import { proxyFaults } from './proxy-faults.js';
import { pullsAgain } from './next-steps.js';
import { pullFails } from './pull-signs.js';

/** Faults of names and routes. Source of the texts: Go net dnsclient_unix.go, dnsconfig_unix.go (its default servers) and net.go */
const networkFaults: readonly Fault[] = [
  {
    id: 'name-server-none',
    title: 'the machine has no DNS server',
    stages: 'any',
    signs: pullFails(/lookup \S+ on (?:\[::1\]|127\.0\.0\.1):53: .*connection refused/),
    cause:
      'Neither DHCP nor the network configuration provides a DNS server, so that the machine asks itself.',
    fix: 'Set DNS servers: in DHCP, or dns-resolver in networkConfig of sno-config.yaml. See bootstrap/network/resolv.conf.',
  },
  {
    id: 'name-server-fails',
    title: 'the DNS server does not answer, or reports an error',
    stages: 'any',
    signs: pullFails(
      /lookup \S+(?: on \S+)?: (?:.*(?:i\/o timeout|connection refused|network is unreachable|no route to host|operation not permitted)|server misbehaving|[Tt]emporary failure in name resolution|no answer from DNS server|.*DNS message)/,
    ),
    cause:
      'The DNS server of the machine is unreachable, or cannot reach the servers of the name in the line.',
    fix: 'On the node: `dig REGISTRY @SERVER` with the servers of bootstrap/network/resolv.conf. Correct the DNS servers in DHCP or in networkConfig of sno-config.yaml.',
  },
  {
    id: 'registry-name-unknown',
    title: 'the name of the registry does not resolve',
    stages: 'any',
    signs: pullFails(/lookup \S+(?: on \S+)?: no such host/),
    cause:
      'The DNS server has no record of the name in the line. Without internet, this is the public registry, and no mirror replaces it.',
    fix: 'Correct the name, add the DNS record, use another DNS server, or set a mirror in imageDigestSources of install-config.yaml.',
  },
  {
    id: 'registry-connection-cut',
    title: 'the connection to the registry is cut during the pull',
    stages: 'any',
    signs: pullFails(
      /happened during read: |unexpected EOF|connection reset by peer|http2: .*(?:GOAWAY|connection lost)|stream error: stream ID|TLS handshake timeout/,
    ),
    cause:
      'A proxy, firewall or the registry ends long transfers, or packets of full size are lost because an MTU on the way is smaller than that of the machine.',
    fix: 'On the node: `ping -M do -s 1472 REGISTRY`. Set mtu in networkConfig of sno-config.yaml, or raise the time limits of proxy and registry.',
  },
  {
    id: 'registry-unreachable',
    title: 'the registry cannot be reached',
    stages: 'any',
    signs: pullFails(
      /no such host|server misbehaving|i\/o timeout|no route to host|connection refused|connection timed out|network is unreachable|cannot assign requested address|deadline exceeded|Client\.Timeout|\bEOF\b/,
    ),
    cause: 'No route, a firewall, a wrong port, or a proxy that is not configured.',
    fix: 'On the node: `curl -I https://REGISTRY/v2/`. Then correct network or proxy, or set a mirror in imageDigestSources of install-config.yaml.',
  },
];

/** Faults of pulls, most specific first: a line can contain the errors of several mirrors. */
export const pullFaults: readonly Fault[] = [
  ...policyFaults,
  ...proxyFaults,
  ...certificateFaults,
  ...imageFaults,
  ...networkFaults,
  {
    id: 'image-not-pulled',
    title: 'an image cannot be pulled',
    stages: 'any' as const,
    signs: [
      ...pullFails(/./),
      { script: 'sno-etcd-restore.sh' as const, says: 'the etcd image cannot be pulled' },
    ],
    cause: 'See the message after the colon for the reason.',
    fix: `On the node: \`sudo podman pull --authfile /root/.docker/config.json IMAGE\`. ${pullsAgain}`,
    isGeneral: true as const,
  },
].map((fault) => ({ ...fault, isOfLastAttempt: true }));
