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
        says: /no space left on device/i,
        source: 'glibc, strerror(ENOSPC); Go, syscall.ENOSPC',
      },
    ],
    cause:
      'In the live system /var lies in memory and takes half of it at most; the images of a release need some 10 GB. On the installed node the disk is too small or full.',
    fix: `Give the machine more memory (32 GiB for ${inMemory} and later), and look at bootstrap/file-systems.txt for what is full.`,
  },
  {
    id: 'clock-before-certificates',
    title: 'the clock is before the beginning of the certificates',
    stages: looks,
    signs: [{ script, says: 'the clock says *, before *, when the certificates begin' }],
    cause: 'The clock of the machine is wrong or in local time, and no NTP server is reached.',
    fix: 'Set it to UTC in the firmware, or name servers that the machine reaches with ntpSources in sno-config.yaml.',
  },
  {
    id: 'clock-after-certificates',
    title: 'the certificates have ended',
    stages: looks,
    signs: [{ script, says: 'the clock says *, but the certificates ended *: make a new Ignition config' }],
    cause: 'The ISO was booted later than its certificates allow, or the clock is ahead.',
    fix: 'Compare the clock; then run `sno-install create single-node-ignition-config` again and embed the new file.',
  },
  {
    id: 'hostname-localhost',
    title: 'the machine has no host name of its own',
    stages: looks,
    signs: [
      {
        script,
        says: "the host name is '*': set one with hostname in sno-config.yaml, by DHCP or by reverse DNS",
      },
    ],
    cause: 'Neither DHCP nor reverse DNS gives a name, and none is configured.',
    fix: 'Set hostname in sno-config.yaml, or a DHCP reservation with a name.',
  },
  {
    id: 'hostname-differs',
    title: 'the host name is not the configured one',
    stages: looks,
    signs: [{ script, says: "the host name is '*', but the configuration says '*'" }],
    cause:
      'DHCP or reverse DNS gives another name than hostname in sno-config.yaml, or this is another machine.',
    fix: 'Make the two agree, or remove hostname from sno-config.yaml.',
  },
  {
    id: 'address-outside-network',
    title: 'the machine has no address in machineNetwork',
    stages: looks,
    signs: [{ script, says: 'no network interface has an IPv* address in machineNetwork (*)*' }],
    cause:
      'machineNetwork (or nodeIP) does not fit the network that the machine is in, or DHCP gave it no address.',
    fix: 'Compare bootstrap/network/ip-addr.txt with machineNetwork in install-config.yaml and nodeIP in sno-config.yaml.',
  },
  {
    id: 'memory-too-small',
    title: 'the machine has too little memory',
    stages: looks,
    signs: [{ script, says: 'the machine has * MiB of memory; the installation needs * MiB' }],
    cause: 'The machine, or the virtual machine, is smaller than a single node may be.',
    fix: `Give it 16 GiB at least, 32 GiB for ${inMemory} and later, whose live system keeps the operating system in memory.`,
  },
  {
    id: 'api-int-missing',
    title: 'DNS does not know api-int',
    stages: looks,
    signs: [{ script, says: doesNotResolve, because: /^the name api-int\./ }],
    cause:
      'The installed kubelet reaches its API server by this name only; the record is missing, or another DNS server is asked.',
    fix: 'Make the record api-int.CLUSTER.DOMAIN point to the node, or set dns.local: true in sno-config.yaml.',
  },
  {
    id: 'api-int-elsewhere',
    title: 'api-int leads to another machine',
    stages: looks,
    signs: [{ script, says: resolvesElsewhere, because: /^the name api-int\./ }],
    cause: 'The record is that of a load balancer or of an earlier node, or the machine got another address.',
    fix: 'Make api-int.CLUSTER.DOMAIN point to the node itself. If a load balancer or NAT is meant to be there, set dns.apiCheck in sno-config.yaml.',
  },
  {
    id: 'dns-names',
    title: 'DNS does not give this machine for api or *.apps',
    stages: ['machine', 'resolve-api-url', 'resolve-api-int-url'],
    signs: [
      { script, says: doesNotResolve, because: /^the name (?!api-int\.)/ },
      { script, says: resolvesElsewhere, because: /^the name (?!api-int\.)/ },
    ],
    cause:
      'The records are missing. The node does without api; without *.apps, authentication, console and ingress never become available.',
    fix: 'Make api.CLUSTER.DOMAIN and *.apps.CLUSTER.DOMAIN point to the node.',
    weight: 'note',
  },
  {
    id: 'env-file-missing',
    title: 'the env file of the installation is missing',
    stages: 'any',
    signs: [{ script: 'sno-common.sh', says: 'cannot read *, which the installer put on this node' }],
    cause:
      '/opt/openshift/sno-install.env was removed, or the machine was booted with an Ignition config of another tool.',
    fix: 'Boot the live ISO with bootstrap-in-place-for-live-iso.ign of this cluster.',
  },
];
