import type { FieldSchema } from '../formats/field-schema.js';

/** Generated from sno-config-schema.ts; `UPDATE_GOLDEN=1 npx vitest run test/config/schema.test.ts` writes it anew. */
export const snoConfigFields: FieldSchema = {
  type: 'object',
  properties: {
    apiVersion: { type: 'string', description: 'Version of the format: `sno-install/v1alpha1`.' },
    kind: { type: 'string', description: 'Always `SingleNodeConfig`.' },
    hostname: {
      type: 'string',
      description:
        'Name of the node, set before anything else runs. Omitted means that DHCP or DNS gives it.',
    },
    nodeIP: {
      type: 'string',
      description:
        'Address of the node, in one of the machine networks. Omitted means the first address of the node that stands in one.',
    },
    releaseImage: {
      type: 'string',
      description:
        'Pull spec of the release payload, by tag or by digest. Omitted means the release that sno-install was made for.',
    },
    releaseVersion: {
      type: 'string',
      description: 'Version of the payload as `4.18` or `4.18.3`, when its pull spec does not say it.',
    },
    imageReferences: {
      type: 'string',
      description:
        'Path of the image-references file of the payload: an ImageStream, as `oc adm release info` gives it.',
    },
    controlPlane: {
      type: 'object',
      properties: {
        render: {
          type: 'string',
          enum: ['Installer', 'Release'],
          description:
            'Who makes the first control plane: `Release`, the operators of the release, on the node, or `Installer`, sno-install itself, for releases from 4.17 on. Omitted means Release.',
        },
        distribution: {
          type: 'string',
          enum: ['Kubernetes', 'OpenShift'],
          description:
            'Whose programs an all-in-one control plane runs: `Kubernetes`, those of the Kubernetes project, or `OpenShift`, those of a release payload. Read by create aio-ignition.',
          default: 'Kubernetes',
        },
        kubernetesVersion: {
          type: 'string',
          description:
            'Version of Kubernetes of an all-in-one control plane, as `1.36.3`. Omitted means 1.36.3, and with distribution OpenShift the version in the release.',
        },
        images: {
          type: 'object',
          properties: {
            etcd: { type: 'string', description: 'Pull spec of etcd, by tag or by digest.' },
            'kube-apiserver': {
              type: 'string',
              description: 'Pull spec of kube-apiserver, by tag or by digest.',
            },
            'kube-controller-manager': {
              type: 'string',
              description: 'Pull spec of kube-controller-manager, by tag or by digest.',
            },
            'kube-scheduler': {
              type: 'string',
              description: 'Pull spec of kube-scheduler, by tag or by digest.',
            },
            'kube-proxy': { type: 'string', description: 'Pull spec of kube-proxy, by tag or by digest.' },
            coredns: { type: 'string', description: 'Pull spec of CoreDNS, by tag or by digest.' },
            pause: {
              type: 'string',
              description: 'Pull spec of the container that holds a pod together, by tag or by digest.',
            },
          },
          additionalProperties: false,
          description:
            'Images of an all-in-one control plane. Omitted ones are those that kubeadm of the same version uses, or those of the release.',
        },
        imagesByDigest: {
          type: 'boolean',
          description:
            'Whether each image of an all-in-one control plane is to be named by digest in `images`. One that is not is a warning, with the command that prints its digest.',
          default: false,
        },
        extraArguments: {
          type: 'object',
          properties: {
            etcd: {
              type: 'object',
              additionalProperties: {
                type: 'array',
                items: { type: 'string', description: 'One value.' },
                description: 'Values of this flag; several repeat it.',
              },
              description: 'Arguments of etcd: flags without dashes, each with a list of values.',
            },
            'kube-apiserver': {
              type: 'object',
              additionalProperties: {
                type: 'array',
                items: { type: 'string', description: 'One value.' },
                description: 'Values of this flag; several repeat it.',
              },
              description: 'Arguments of kube-apiserver: flags without dashes, each with a list of values.',
            },
            'kube-controller-manager': {
              type: 'object',
              additionalProperties: {
                type: 'array',
                items: { type: 'string', description: 'One value.' },
                description: 'Values of this flag; several repeat it.',
              },
              description:
                'Arguments of kube-controller-manager: flags without dashes, each with a list of values.',
            },
            'kube-scheduler': {
              type: 'object',
              additionalProperties: {
                type: 'array',
                items: { type: 'string', description: 'One value.' },
                description: 'Values of this flag; several repeat it.',
              },
              description: 'Arguments of kube-scheduler: flags without dashes, each with a list of values.',
            },
            'kube-proxy': {
              type: 'object',
              additionalProperties: {
                type: 'array',
                items: { type: 'string', description: 'One value.' },
                description: 'Values of this flag; several repeat it.',
              },
              description: 'Arguments of kube-proxy: flags without dashes, each with a list of values.',
            },
            kubelet: {
              type: 'object',
              additionalProperties: {
                type: 'array',
                items: { type: 'string', description: 'One value.' },
                description: 'Values of this flag; several repeat it.',
              },
              description: 'Arguments of the kubelet: flags without dashes, each with a list of values.',
            },
          },
          additionalProperties: false,
          description:
            'Arguments for the programs of an all-in-one control plane. One that sno-install gives too takes its place.',
        },
        featureGates: {
          type: 'object',
          additionalProperties: { type: 'boolean', description: 'Whether the feature is on.' },
          description:
            'Feature gates of every program of an all-in-one control plane, the kubelet among them.',
          default: {},
        },
        encryption: {
          type: 'string',
          enum: ['secretbox', 'aescbc', 'aesgcm', 'None'],
          description:
            'What Secrets of an all-in-one control plane are encrypted with in etcd. The key is drawn once and kept in the state file.',
          default: 'secretbox',
        },
        certificates: {
          type: 'object',
          properties: {
            signers: {
              type: 'string',
              description: 'How long authorities hold, and with them the whole cluster: from 1y to 30y.',
              default: '10y',
            },
            leaves: {
              type: 'string',
              description:
                'How long the certificates hold that the node renews by itself, kubelets included: from 7d to 5y, and at most half as long as authorities.',
              default: '1y',
            },
          },
          additionalProperties: false,
          description: 'Certificates of an all-in-one control plane.',
        },
      },
      additionalProperties: false,
      description: 'How the first control plane comes to be.',
    },
    aio: {
      type: 'object',
      properties: {
        operatingSystem: {
          type: 'string',
          enum: ['FedoraCoreOS', 'RHCOS'],
          description:
            'What the machine boots: `FedoraCoreOS`, which has containerd and nothing of Kubernetes, or `RHCOS` (SCOS too), which has CRI-O, a kubelet and oc. Omitted means FedoraCoreOS, and RHCOS with distribution OpenShift.',
        },
        mirror: {
          type: 'string',
          description:
            'https URL of a mirror of what kubelet, kubectl and CNI plugins are published at: each below it by host and path, as `wget --force-directories` lays them. Entries of `files` keep their own URLs.',
        },
        files: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              path: {
                type: 'string',
                description: 'Where the file is put, such as `/usr/local/bin/kubelet`.',
              },
              url: {
                type: 'string',
                description: 'Where the machine fetches it at its first boot; https only.',
              },
              sha256: {
                type: 'string',
                description: 'SHA-256 of the file, in hex. One of sha256 and sha512 is given.',
              },
              sha512: { type: 'string', description: 'SHA-512 of the file, in hex.' },
              mode: { type: 'string', description: 'Permissions in octal, as `"0755"`.', default: '0755' },
              compression: {
                type: 'string',
                enum: ['gzip'],
                description: 'How the file at the URL is packed; the hash is that of the unpacked file.',
              },
              unpackInto: {
                type: 'string',
                description:
                  'For a tar archive: the folder that its files are put into before the kubelet starts. The archive itself is removed.',
              },
              stripComponents: {
                type: 'integer',
                minimum: 0,
                maximum: 9,
                description: 'How many folders at the beginning of the names in the archive are left out.',
                default: 0,
              },
            },
            required: ['path', 'url'],
            additionalProperties: false,
            description: 'One file.',
          },
          description:
            'Programs that the operating system lacks, in place of the published kubelet, kubectl and CNI plugins or beside them. Each is fetched at the first boot and refused when its hash differs.',
          default: [],
        },
      },
      additionalProperties: false,
      description: 'The machine of create aio-ignition.',
    },
    certificates: {
      type: 'object',
      properties: {
        validity: {
          type: 'string',
          description:
            'How long the certificates hold that the live system needs, as `720h`, `30d` or `1y`: from 24h to 10y. The ISO cannot be booted later.',
          default: '30d',
        },
        backdate: {
          type: 'string',
          description:
            'How far before the clock certificates start, for nodes whose clock is behind: at most 24h.',
          default: '1h',
        },
        keyAlgorithm: {
          type: 'string',
          enum: ['RSA-2048', 'RSA-3072', 'RSA-4096', 'ECDSA-P256', 'ECDSA-P384'],
          description:
            'Algorithm and size of all keys but those that sign service account tokens, which stay RSA.',
          default: 'RSA-2048',
        },
      },
      additionalProperties: false,
      description: 'Certificates of the live system.',
    },
    kubelet: {
      type: 'object',
      properties: {
        gracefulShutdown: {
          type: 'object',
          properties: {
            total: {
              type: 'string',
              description: 'How long the node waits for its pods to end, as `60s` or `5m`.',
            },
            criticalPods: {
              type: 'string',
              description: 'The part of it that is kept for critical pods, which end last.',
            },
          },
          required: ['total', 'criticalPods'],
          additionalProperties: false,
          description: 'How the node lets its pods end before it shuts down.',
        },
      },
      additionalProperties: false,
      description: 'Settings of the kubelet of the installed node.',
    },
    dns: {
      type: 'object',
      properties: {
        local: {
          type: 'boolean',
          description:
            'Whether the node answers for `api`, `api-int` and `*.apps` itself, for places without a DNS server of yours. Needs `nodeIP`.',
          default: false,
        },
      },
      additionalProperties: false,
      description: 'Name resolution of the node.',
    },
    ntpSources: {
      type: 'array',
      items: { type: 'string', description: 'Name or address of a time server.' },
      description: 'Time servers of the node. Omitted means those of the operating system.',
      default: [],
    },
    kernelArguments: {
      type: 'array',
      items: { type: 'string', description: 'One argument, such as `console=ttyS0`.' },
      description: 'Arguments for the kernel of the installed node.',
      default: [],
    },
    reinstall: {
      type: 'string',
      enum: ['Refuse', 'SameCluster', 'Always'],
      description:
        'What becomes of a disk that holds something already. `Refuse`: an installation of this very cluster is left alone until somebody allows it on the node. `SameCluster`: it is destroyed and installed anew, unattended; a machine that boots the live medium first after the reboot then installs again without end. `Always`: as `SameCluster`, and what is active on the disk (mounts, swap, LVM, RAID, encryption) is taken down first. Both destroy a cluster in use when the live medium is booted by mistake.',
      default: 'Refuse',
    },
    extraManifests: {
      type: 'array',
      items: { type: 'string', description: 'Path of a manifest or of a folder of manifests.' },
      description:
        'Manifests of yours to install with the cluster; paths relative to the directory of the config.',
      default: [],
    },
  },
  required: ['apiVersion', 'kind'],
  additionalProperties: false,
  title: 'sno-config.yaml',
  description: 'What a single node needs and install-config.yaml cannot say. The file may be absent.',
};
