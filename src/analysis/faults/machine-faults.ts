import { releases } from '../../release/releases.js';
import type { StageName } from '../stages.js';
import type { Fault } from './fault.js';

const script = 'sno-checks.sh';

/** Stages that check the machine. */
const looks: readonly StageName[] = ['clock', 'machine', 'wait-for-machine', 'preflight'];
const doesNotResolve = 'the name * does not resolve';
const resolvesElsewhere = "the name * resolves to *, which is not this machine's address *";

/** The first release whose live system holds the node's programs in memory. */
const inMemory = releases.firstWith(({ hasNodeProgramsInImages }) => !hasNodeProgramsInImages).version.text;

/** Faults of the machine and the network around it. */
export const machineFaults: readonly Fault[] = [
  {
    id: 'storage-full',
    title: 'a file system is full',
    stages: 'any',
    signs: [
      {
        program: 'any',
        says: /no space left on device|disk quota exceeded/i,
        source: 'glibc, strerror(ENOSPC) and strerror(EDQUOT); Go, syscall.ENOSPC',
      },
    ],
    cause:
      'The live system keeps /var in memory, limited to half of it; the images of a release need about 10 GB. On the installed node, the disk is too small or full.',
    fix: `Give the machine more memory (32 GiB for ${inMemory} and later), and see bootstrap/file-systems.txt for the full file system.`,
  },
  {
    id: 'memory-full',
    title: 'the machine has run out of memory',
    stages: 'any',
    signs: [
      {
        program: 'any',
        says: /cannot allocate memory|runtime: out of memory|adding layer with blob .*signal: killed|Out of memory: Killed process|A process of this unit has been killed by the OOM killer/i,
        source: 'glibc, strerror(ENOMEM); Go runtime; Linux mm/oom_kill.c; systemd src/core/service.c',
      },
    ],
    cause:
      'The live system keeps its root file system and the images in memory, beside the programs that run.',
    fix: `Give the machine more memory (32 GiB for ${inMemory} and later).`,
  },
  {
    id: 'program-of-another-architecture',
    title: 'a program is for another CPU architecture',
    stages: 'any',
    signs: [
      {
        program: 'any',
        says: /exec format error/i,
        source: 'glibc, strerror(ENOEXEC); runc and crun, exec of the container process',
      },
    ],
    cause: 'The image in the lines before is for another architecture than this machine.',
    fix: 'Use a release image for this machine, or one of several architectures (…-multi), and controlPlane.architecture of the machine in install-config.yaml.',
  },
  {
    id: 'clock-before-certificates',
    title: 'the clock is earlier than the start of the certificates',
    stages: looks,
    signs: [{ script, says: 'the clock is at *, but the certificates are not valid before *' }],
    cause: "The machine's clock is wrong or set to local time, and no NTP server is reachable.",
    fix: 'Set it to UTC in the firmware, or set ntpSources in sno-config.yaml to reachable servers.',
  },
  {
    id: 'clock-after-certificates',
    title: 'the certificates have expired',
    stages: looks,
    signs: [
      { script, says: 'the clock is at *, but the certificates expired at *: create a new Ignition config' },
    ],
    cause: 'The ISO was booted after its certificates expired, or the clock is ahead.',
    fix: 'Compare the clock; then run `sno-install create single-node-ignition-config` again and embed the new file.',
  },
  {
    id: 'hostname-localhost',
    title: 'the machine has no host name, or one with localhost in it',
    stages: looks,
    signs: [
      {
        script,
        says: "the host name is '*': set one with hostname in sno-config.yaml, by DHCP or by reverse DNS",
      },
    ],
    cause:
      'Neither DHCP nor reverse DNS provides a name without localhost, and none is configured. OpenShift waits for another name.',
    fix: 'Set hostname in sno-config.yaml, or a DHCP reservation with a name.',
  },
  {
    id: 'hostname-differs',
    title: 'the host name differs from the configuration',
    stages: looks,
    signs: [{ script, says: "the host name is '*', but the configuration says '*'" }],
    cause:
      'The name from DHCP or reverse DNS differs from hostname in sno-config.yaml, or this is the wrong machine.',
    fix: 'Use the same name in both places, or remove hostname from sno-config.yaml.',
  },
  {
    id: 'address-outside-network',
    title: 'the machine has no address in machineNetwork',
    stages: looks,
    signs: [{ script, says: 'no network interface has an IPv* address in machineNetwork (*)*' }],
    cause:
      "machineNetwork (or nodeIP) does not match the machine's network, or the machine has no address from DHCP.",
    fix: 'Compare bootstrap/network/ip-addr.txt with machineNetwork in install-config.yaml and nodeIP in sno-config.yaml.',
  },
  {
    id: 'memory-too-small',
    title: 'the machine has too little memory',
    stages: looks,
    signs: [{ script, says: 'the machine has * MiB of memory; the installation needs * MiB' }],
    cause: 'The machine or virtual machine is below the minimum for a single node.',
    fix: `Use at least 16 GiB, or 32 GiB for ${inMemory} and later, whose live system keeps the operating system in memory.`,
  },
  {
    id: 'api-int-missing',
    title: 'api-int does not resolve',
    stages: looks,
    signs: [{ script, says: doesNotResolve, because: /^the name api-int\./ }],
    cause:
      'The kubelet uses this name to reach the API server; the DNS record is missing, or the machine uses the wrong DNS server.',
    fix: 'Make the record api-int.CLUSTER.DOMAIN point to the node, or set dns.local: true in sno-config.yaml.',
  },
  {
    id: 'api-int-elsewhere',
    title: 'api-int resolves to another machine',
    stages: looks,
    signs: [{ script, says: resolvesElsewhere, because: /^the name api-int\./ }],
    cause: "The DNS record points to a load balancer or an earlier node, or the machine's address changed.",
    fix: 'Make api-int.CLUSTER.DOMAIN point to the node itself. If a load balancer or NAT is intended, set dns.apiCheck in sno-config.yaml.',
  },
  {
    id: 'dns-names',
    title: 'api or *.apps does not resolve to this machine',
    stages: ['machine', 'resolve-api-url', 'resolve-api-int-url'],
    signs: [
      { script, says: doesNotResolve, because: /^the name (?!api-int\.)/ },
      { script, says: resolvesElsewhere, because: /^the name (?!api-int\.)/ },
    ],
    cause:
      'The DNS records are missing. The node works without api, but without *.apps, authentication, console and ingress never become available.',
    fix: 'Make api.CLUSTER.DOMAIN and *.apps.CLUSTER.DOMAIN point to the node.',
    weight: 'note',
  },
  {
    id: 'env-file-missing',
    title: 'the env file of the installation is missing',
    stages: 'any',
    signs: [{ script: 'sno-common.sh', says: 'cannot read *, which the installer put on this node' }],
    cause:
      "/opt/openshift/sno-install.env was removed, or the machine was booted with another tool's Ignition config.",
    fix: 'Boot the live ISO with bootstrap-in-place-for-live-iso.ign of this cluster.',
  },
];
