import type { AioMachine } from '../../config/schema/aio-model.js';
import type { NodeFile } from '../../ignition/types.js';
import { aioPaths, runtimes } from './aio-paths.js';
import type { NodeFacts } from './node-facts.js';

export interface RuntimeSettings {
  readonly operatingSystem: AioMachine['operatingSystem'];
  /** Image of the pause container. `pauseCommand` overrides the image's command. */
  readonly pauseImage: string;
  readonly pauseCommand?: string;
  readonly facts: NodeFacts;
}

/** Configuration files of the container runtime, the pod network and the kernel. */
export function runtimeFiles(settings: RuntimeSettings): readonly NodeFile[] {
  const { operatingSystem } = settings;
  return [
    operatingSystem === 'FedoraCoreOS'
      ? file('/etc/containerd/config.toml', containerdConfig(settings))
      : file('/etc/crio/crio.conf.d/50-sno-install.conf', crioConfig(settings)),
    file('/etc/crictl.yaml', `runtime-endpoint: unix://${runtimes[operatingSystem].socket}\n`),
    file(`${aioPaths.cniConfig}/10-sno-install.conflist`, cniConfig(settings.facts)),
    file('/etc/modules-load.d/sno-install.conf', 'br_netfilter\noverlay\n'),
    file('/etc/sysctl.d/90-sno-install.conf', kernelSettings(settings.facts)),
    // NetworkManager must not configure the pods' interfaces.
    file(
      '/etc/NetworkManager/conf.d/sno-install.conf',
      '[keyfile]\nunmanaged-devices=interface-name:cni0;interface-name:veth*\n',
    ),
  ];
}

/** Config version 2, which containerd 1.6 to 2.x read. Source: containerd docs/cri/config.md */
function containerdConfig({ pauseImage }: RuntimeSettings): string {
  const cri = 'plugins."io.containerd.grpc.v1.cri"';
  return `version = 2

[${cri}]
  sandbox_image = ${tomlString(pauseImage)}
  enable_selinux = true

[${cri}.cni]
  bin_dir = "${aioPaths.cniPlugins}"
  conf_dir = "${aioPaths.cniConfig}"

[${cri}.containerd]
  default_runtime_name = "runc"

[${cri}.containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"

[${cri}.containerd.runtimes.runc.options]
  SystemdCgroup = true

[${cri}.registry]
  config_path = "/etc/containerd/certs.d"
`;
}

/** Source: crio.conf(5). The operating system's plugins are in /usr/libexec/cni (package containernetworking-plugins). */
function crioConfig({ pauseImage, pauseCommand }: RuntimeSettings): string {
  return `[crio.runtime]
cgroup_manager = "systemd"

[crio.image]
global_auth_file = "${aioPaths.registryLogin}"
pause_image = ${tomlString(pauseImage)}
pause_image_auth_file = "${aioPaths.registryLogin}"
${pauseCommand === undefined ? '' : `pause_command = ${tomlString(pauseCommand)}\n`}
[crio.network]
network_dir = "${aioPaths.cniConfig}"
plugin_dirs = ["${aioPaths.cniPlugins}", "/usr/libexec/cni"]
`;
}

/** A bridge network for the node's pods. Source: www.cni.dev/plugins, bridge, host-local and portmap */
function cniConfig({ podSubnets }: NodeFacts): string {
  const isIPv6 = (subnet: string): boolean => subnet.includes(':');
  const list = {
    cniVersion: '1.0.0',
    name: 'sno-install',
    plugins: [
      {
        type: 'bridge',
        bridge: 'cni0',
        // isDefaultGateway would add default routes in addition to those below.
        isGateway: true,
        ipMasq: true,
        // Lets a pod reach itself through a Service.
        hairpinMode: true,
        ipam: {
          type: 'host-local',
          ranges: podSubnets.map((subnet) => [{ subnet }]),
          routes: podSubnets.map((subnet) => ({ dst: isIPv6(subnet) ? '::/0' : '0.0.0.0/0' })),
        },
      },
      { type: 'portmap', capabilities: { portMappings: true } },
    ],
  };
  return `${JSON.stringify(list, null, 2)}\n`;
}

/**
 * Sysctls for forwarding between pods and Services, and those that the kubelet requires.
 * Source: k8s.io/kubernetes pkg/kubelet/cm/container_manager_linux.go, setupKernelTunables
 */
function kernelSettings({ networks, podSubnets }: NodeFacts): string {
  const usesIPv6 =
    networks.family === 'IPv6' || networks.isDualStack || podSubnets.some((each) => each.includes(':'));
  const lines = [
    'net.ipv4.ip_forward = 1',
    ...(usesIPv6 ? ['net.ipv6.conf.all.forwarding = 1'] : []),
    'net.bridge.bridge-nf-call-iptables = 1',
    'net.bridge.bridge-nf-call-ip6tables = 1',
    'vm.overcommit_memory = 1',
    'vm.panic_on_oom = 0',
    'kernel.panic = 10',
    'kernel.panic_on_oops = 1',
    'kernel.keys.root_maxkeys = 1000000',
    'kernel.keys.root_maxbytes = 25000000',
  ];
  return `${lines.join('\n')}\n`;
}

/** A TOML basic string; its escapes are a superset of JSON's. */
function tomlString(text: string): string {
  return JSON.stringify(text);
}

function file(path: string, contents: string): NodeFile {
  return { path, mode: 0o644, contents };
}
