import type { IgnitionConfig, IgnitionFile } from '../../../src/ignition/types.js';
import { imageName } from './images.js';
import type { ReleaseNode } from './static-pods.js';

/** A stub of the machine-config operator's templates for the master role: the kubelet and the first boot. */
export function masterBase({ tls }: ReleaseNode): IgnitionConfig {
  return nodeBase(tls['kube-apiserver-complete-client-ca-bundle.crt'] ?? '', [{ type: 'loopback' }]);
}

/** The part for every role. `clientCa` contains the CA certificates for the kubelet's clients. */
export function nodeBase(clientCa: string, cniPlugins: readonly object[]): IgnitionConfig {
  return {
    ignition: { version: '3.2.0' },
    storage: {
      files: [
        file('/etc/kubernetes/kubelet.conf', JSON.stringify(kubeletConfig, null, 2)),
        file('/etc/kubernetes/kubelet-ca.crt', clientCa),
        file('/var/lib/kubelet/config.json', '{"auths":{}}', 0o600),
        file('/etc/crio/crio.conf.d/00-default.conf', `[crio.image]\npause_image = "${imageName('pod')}"\n`),
        file(
          '/etc/cni/net.d/10-lab.conflist',
          JSON.stringify({
            cniVersion: '1.0.0',
            name: 'lab',
            plugins: cniPlugins,
          }),
        ),
      ],
    },
    systemd: {
      units: [
        { name: 'kubelet.service', enabled: true, contents: kubeletUnit },
        { name: 'machine-config-daemon-firstboot.service', enabled: true, contents: firstBootUnit },
      ],
    },
  };
}

function file(path: string, text: string, mode = 0o644): IgnitionFile {
  return {
    path,
    mode,
    user: { name: 'root' },
    overwrite: true,
    contents: { source: `data:;base64,${Buffer.from(text).toString('base64')}` },
  };
}

/** Source: machine-config-operator, templates/master/01-master-kubelet */
const kubeletConfig = {
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  authentication: {
    x509: { clientCAFile: '/etc/kubernetes/kubelet-ca.crt' },
    anonymous: { enabled: false },
  },
  cgroupDriver: 'systemd',
  clusterDomain: 'cluster.local',
  clusterDNS: ['172.30.0.10'],
  containerRuntimeEndpoint: 'unix:///run/crio/crio.sock',
  rotateCertificates: true,
  serverTLSBootstrap: true,
  staticPodPath: '/etc/kubernetes/manifests',
  nodeStatusUpdateFrequency: '2s',
};

const kubeletUnit = `[Unit]
Description=Kubernetes Kubelet
Wants=crio.service network-online.target
After=crio.service network-online.target

[Service]
Type=notify
ExecStartPre=/usr/bin/mkdir --parents /etc/kubernetes/manifests
ExecStart=/usr/bin/kubelet --config=/etc/kubernetes/kubelet.conf \\
  --bootstrap-kubeconfig=/etc/kubernetes/kubeconfig --kubeconfig=/var/lib/kubelet/kubeconfig --v=2
Restart=always
RestartSec=10

[Install]
WantedBy=multi-user.target
`;

const firstBootUnit = `[Unit]
Description=Machine Config Daemon Firstboot
ConditionPathExists=!/etc/lab-first-boot.done
Before=kubelet.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/usr/bin/touch /etc/lab-first-boot.done

[Install]
WantedBy=multi-user.target
`;
