import type { FieldSchema } from '../formats/field-schema.js';

/** Generated from install-config-schema.ts; `UPDATE_GOLDEN=1 npx vitest run test/config/schema.test.ts` writes it anew. */
export const installConfigFields: FieldSchema = {
  type: 'object',
  properties: {
    apiVersion: { type: 'string', description: 'Version of the format: `v1`.' },
    kind: { type: 'string', description: 'Accepted and ignored.' },
    metadata: {
      type: 'object',
      properties: {
        name: {
          type: 'string',
          description:
            'Name of the cluster: lower-case letters, digits and "-", at most 54 characters. The first part of the cluster domain.',
        },
        labels: {
          type: 'object',
          additionalProperties: { type: 'string' },
          description: 'Accepted and passed on; nothing reads them.',
        },
        annotations: {
          type: 'object',
          additionalProperties: { type: 'string' },
          description: 'Accepted and passed on; nothing reads them.',
        },
        namespace: { type: 'string', description: 'Accepted and ignored.' },
        creationTimestamp: { description: 'Accepted and ignored: older tools wrote `null` here.' },
      },
      required: ['name'],
      additionalProperties: false,
      description: 'Names the cluster.',
    },
    baseDomain: {
      type: 'string',
      description:
        'The domain that the cluster domain stands in: `<metadata.name>.<baseDomain>`. You make DNS records for `api`, `api-int` and `*.apps` below it.',
    },
    pullSecret: {
      type: 'string',
      description:
        'Credentials of the registries, as JSON in single quotes: what console.redhat.com hands out, with those of your mirrors.',
      writeOnly: true,
    },
    sshKey: {
      type: 'string',
      description:
        'Public SSH keys that may log in as user core, one a line, in the form of an authorized_keys file.',
      default: '',
    },
    controlPlane: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Always `master`.', default: 'master' },
        replicas: {
          type: 'integer',
          minimum: 0,
          maximum: 2147483647,
          description:
            'Number of control plane nodes: 1. openshift-install takes an omitted value for 3, so write it when both tools read the file.',
          default: 1,
        },
        architecture: {
          type: 'string',
          enum: ['amd64', 'arm64', 'ppc64le', 's390x'],
          description: 'Processor architecture of the node.',
          default: 'amd64',
        },
        hyperthreading: {
          type: 'string',
          enum: ['Enabled', 'Disabled'],
          description:
            'Whether the threads of a core are used as processors. Disabled adds kernel arguments to the machines of the pool.',
          default: 'Enabled',
        },
        platform: {
          type: 'object',
          additionalProperties: {},
          description: 'Settings of machines that a cloud makes. Empty on platform none.',
        },
        fencing: {
          type: 'object',
          additionalProperties: {},
          description: 'Fencing of two-node clusters. Not for a single node.',
        },
        diskSetup: {
          type: 'array',
          items: { type: 'object', additionalProperties: {} },
          description:
            'Disks of their own for etcd, swap or data. Not on platform none; use a MachineConfig.',
        },
        management: { type: 'string', description: 'Who manages the machines. Only for AWS.' },
      },
      additionalProperties: false,
      description: 'The one node.',
    },
    compute: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string', description: 'Always `worker` on platform none.' },
          replicas: {
            type: 'integer',
            minimum: 0,
            maximum: 2147483647,
            description:
              'Number of workers that join later. It decides where the router runs and whether the control plane takes workloads. openshift-install takes an omitted value for 3.',
            default: 0,
          },
          architecture: {
            type: 'string',
            enum: ['amd64', 'arm64', 'ppc64le', 's390x'],
            description:
              'Processor architecture of the workers: that of the control plane, which is the default too.',
          },
          hyperthreading: {
            type: 'string',
            enum: ['Enabled', 'Disabled'],
            description:
              'Whether the threads of a core are used as processors. Disabled adds kernel arguments to the machines of the pool.',
            default: 'Enabled',
          },
          platform: {
            type: 'object',
            additionalProperties: {},
            description: 'Settings of machines that a cloud makes. Empty on platform none.',
          },
          fencing: {
            type: 'object',
            additionalProperties: {},
            description: 'Fencing of two-node clusters. Not for a single node.',
          },
          diskSetup: {
            type: 'array',
            items: { type: 'object', additionalProperties: {} },
            description:
              'Disks of their own for etcd, swap or data. Not on platform none; use a MachineConfig.',
          },
          management: { type: 'string', description: 'Who manages the machines. Only for AWS.' },
        },
        required: ['name'],
        additionalProperties: false,
      },
      description: 'Workers to come. Omitted means none, where openshift-install takes it for three.',
      default: [{ name: 'worker', replicas: 0 }],
    },
    arbiter: {
      type: 'object',
      additionalProperties: {},
      description: 'Arbiter nodes. Not for a single node.',
    },
    networking: {
      type: 'object',
      properties: {
        networkType: {
          type: 'string',
          description:
            'The network plugin. OVNKubernetes comes with OpenShift; any other one needs manifests of its maker.',
          default: 'OVNKubernetes',
        },
        machineNetwork: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              cidr: {
                type: 'string',
                description:
                  'A network that the node has an address in, such as `192.168.126.0/24`. The first one of a family decides which address the node uses.',
              },
            },
            required: ['cidr'],
            additionalProperties: false,
          },
          description: 'The networks that the node has addresses in.',
          default: [{ cidr: '10.0.0.0/16' }],
        },
        clusterNetwork: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              cidr: { type: 'string', description: 'A network for pods, such as `10.128.0.0/14`.' },
              hostPrefix: {
                type: 'integer',
                minimum: 0,
                maximum: 128,
                description:
                  'Prefix length of the part of `cidr` that a node gets for its pods: 23 gives 510 addresses. 64 for IPv6. Needed with a `cidr` of your own.',
              },
              hostSubnetLength: {
                type: 'integer',
                minimum: 0,
                maximum: 128,
                description: 'Old way to say `hostPrefix`: the number of bits that are left to a node.',
                deprecated: true,
              },
            },
            required: ['cidr'],
            additionalProperties: false,
          },
          description: 'The networks that pods get their addresses from.',
          default: [{ cidr: '10.128.0.0/14', hostPrefix: 23 }],
        },
        serviceNetwork: {
          type: 'array',
          items: { type: 'string', description: 'A network for services, such as `172.30.0.0/16`.' },
          description:
            'The networks that services get their addresses from: one, or with dual stack one of each family. Its families are those of the cluster.',
          default: ['172.30.0.0/16'],
        },
        ovnKubernetesConfig: {
          type: 'object',
          properties: {
            ipv4: {
              type: 'object',
              properties: {
                internalJoinSubnet: {
                  type: 'string',
                  description:
                    'IPv4 network that OVN-Kubernetes uses inside of the node, to be changed when `100.64.0.0/16` is taken.',
                },
              },
              additionalProperties: false,
              description: 'IPv4 settings of OVN-Kubernetes.',
            },
          },
          additionalProperties: false,
          description: 'Settings of OVN-Kubernetes.',
        },
        clusterNetworkMTU: {
          type: 'integer',
          minimum: 0,
          maximum: 2147483647,
          description: 'MTU of the pod network. Only for AWS; 0 or omitted here.',
        },
        machineCIDR: {
          type: 'string',
          description: 'Old way to give the first of `machineNetwork`.',
          deprecated: true,
        },
        serviceCIDR: {
          type: 'string',
          description: 'Old way to give the first of `serviceNetwork`.',
          deprecated: true,
        },
        clusterNetworks: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              cidr: { type: 'string', description: 'A network for pods, such as `10.128.0.0/14`.' },
              hostPrefix: {
                type: 'integer',
                minimum: 0,
                maximum: 128,
                description:
                  'Prefix length of the part of `cidr` that a node gets for its pods: 23 gives 510 addresses. 64 for IPv6. Needed with a `cidr` of your own.',
              },
              hostSubnetLength: {
                type: 'integer',
                minimum: 0,
                maximum: 128,
                description: 'Old way to say `hostPrefix`: the number of bits that are left to a node.',
                deprecated: true,
              },
            },
            required: ['cidr'],
            additionalProperties: false,
          },
          description: 'Old name of `clusterNetwork`.',
          deprecated: true,
        },
        type: { type: 'string', description: 'Old name of `networkType`.', deprecated: true },
      },
      additionalProperties: false,
      description: 'Networks of the node, of pods and of services.',
    },
    platform: {
      type: 'object',
      properties: {
        none: {
          type: 'object',
          properties: {},
          additionalProperties: false,
          description:
            'No integration with a platform: machines, DNS and load balancing are yours. Write `none: {}`.',
        },
        aws: {
          type: 'object',
          additionalProperties: {},
          description: 'Platform AWS. Not supported: a single node is installed on platform none.',
        },
        azure: {
          type: 'object',
          additionalProperties: {},
          description: 'Platform Azure. Not supported: a single node is installed on platform none.',
        },
        baremetal: {
          type: 'object',
          additionalProperties: {},
          description:
            'Platform bare metal with Ironic. Not supported: a single node is installed on platform none.',
        },
        external: {
          type: 'object',
          additionalProperties: {},
          description: 'Platform External. Not supported: a single node is installed on platform none.',
        },
        gcp: {
          type: 'object',
          additionalProperties: {},
          description: 'Platform Google Cloud. Not supported: a single node is installed on platform none.',
        },
        ibmcloud: {
          type: 'object',
          additionalProperties: {},
          description: 'Platform IBM Cloud. Not supported: a single node is installed on platform none.',
        },
        nutanix: {
          type: 'object',
          additionalProperties: {},
          description: 'Platform Nutanix. Not supported: a single node is installed on platform none.',
        },
        openstack: {
          type: 'object',
          additionalProperties: {},
          description: 'Platform OpenStack. Not supported: a single node is installed on platform none.',
        },
        ovirt: {
          type: 'object',
          additionalProperties: {},
          description: 'Platform oVirt. Not supported: a single node is installed on platform none.',
        },
        powervc: {
          type: 'object',
          additionalProperties: {},
          description: 'Platform PowerVC. Not supported: a single node is installed on platform none.',
        },
        powervs: {
          type: 'object',
          additionalProperties: {},
          description: 'Platform Power VS. Not supported: a single node is installed on platform none.',
        },
        vsphere: {
          type: 'object',
          additionalProperties: {},
          description: 'Platform vSphere. Not supported: a single node is installed on platform none.',
        },
      },
      additionalProperties: false,
      description: 'Where the cluster runs: exactly `none: {}`.',
    },
    proxy: {
      type: 'object',
      properties: {
        httpProxy: {
          type: 'string',
          description:
            'URL of the proxy for HTTP, `http://user:password@host:port`. Characters with a meaning in URLs are written with "%".',
          writeOnly: true,
        },
        httpsProxy: {
          type: 'string',
          description: 'URL of the proxy for HTTPS; its scheme may be http or https.',
          writeOnly: true,
        },
        noProxy: {
          type: 'string',
          description:
            'What is reached without proxy: domains, addresses and networks, with commas in between; `*` alone for everything. The networks of the cluster are added.',
        },
      },
      additionalProperties: false,
      description: 'The proxy that the node and the cluster go through.',
    },
    additionalTrustBundle: {
      type: 'string',
      description: 'Certificates of authorities that the node trusts too, PEM one after the other.',
      default: '',
    },
    additionalTrustBundlePolicy: {
      type: 'string',
      enum: ['Proxyonly', 'Always'],
      description:
        'Whether the cluster-wide proxy configuration names the bundle only when there is a proxy, or always.',
      default: 'Proxyonly',
    },
    imageDigestSources: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          source: { type: 'string', description: 'The repository that images are asked for under.' },
          mirrors: {
            type: 'array',
            items: { type: 'string', description: 'A repository that holds the same images.' },
            description: 'Repositories that hold the same images, tried in this order.',
          },
          sourcePolicy: {
            type: 'string',
            enum: ['NeverContactSource', 'AllowContactingSource'],
            description: 'Whether the source itself is asked when no mirror has an image.',
          },
        },
        required: ['source'],
        additionalProperties: false,
      },
      description: 'Mirrors to pull images from, for an installation without the internet.',
      default: [],
    },
    imageContentSources: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          source: { type: 'string', description: 'The repository that images are asked for under.' },
          mirrors: {
            type: 'array',
            items: { type: 'string', description: 'A repository that holds the same images.' },
            description: 'Repositories that hold the same images, tried in this order.',
          },
        },
        required: ['source'],
        additionalProperties: false,
      },
      description: 'Old form of `imageDigestSources`.',
      default: [],
      deprecated: true,
    },
    publish: {
      type: 'string',
      enum: ['External', 'Internal', 'Mixed'],
      description:
        'Who may reach the API and the router. Only External on platform none, where DNS is yours.',
      default: 'External',
    },
    operatorPublishingStrategy: {
      type: 'object',
      additionalProperties: {},
      description: 'Only with publish Mixed, which is for Azure.',
    },
    fips: {
      type: 'boolean',
      description:
        'Whether the node runs in FIPS mode, with validated cryptography only. Cannot be changed later.',
      default: false,
    },
    cpuPartitioningMode: {
      type: 'string',
      enum: ['None', 'AllNodes'],
      description:
        'Whether the cluster is made for workload partitioning, which keeps platform pods on reserved processors. Cannot be changed later.',
      default: 'None',
    },
    credentialsMode: {
      type: 'string',
      description: 'How operators get cloud credentials. Not on platform none.',
    },
    bootstrapInPlace: {
      type: 'object',
      properties: {
        installationDisk: {
          type: 'string',
          description:
            'The disk that the node is installed to; everything on it is lost. Best one of `/dev/disk/by-id/`, which means the same disk on every boot.',
        },
      },
      required: ['installationDisk'],
      additionalProperties: false,
      description: 'Installation of a single node without a bootstrap machine.',
    },
    capabilities: {
      type: 'object',
      properties: {
        baselineCapabilitySet: {
          type: 'string',
          enum: ['None', 'v4.11', 'v4.12', 'v4.13', 'v4.14', 'v4.15', 'v4.16', 'v4.17', 'v4.18', 'vCurrent'],
          description: 'The set to start from: what a release had, everything (`vCurrent`), or `None`.',
        },
        additionalEnabledCapabilities: {
          type: 'array',
          items: {
            type: 'string',
            enum: [
              'baremetal',
              'marketplace',
              'openshift-samples',
              'MachineAPI',
              'Console',
              'Insights',
              'Storage',
              'CSISnapshot',
              'NodeTuning',
              'Build',
              'DeploymentConfig',
              'ImageRegistry',
              'OperatorLifecycleManager',
              'CloudCredential',
              'Ingress',
              'CloudControllerManager',
              'OperatorLifecycleManagerV1',
              'CompatibilityRequirements',
              'ClusterAPI',
            ],
            description: 'A component that can be left out of a cluster.',
          },
          description: 'Components to add to the set.',
          default: [],
        },
      },
      required: ['baselineCapabilitySet'],
      additionalProperties: false,
      description: 'Which optional components the cluster has. Omitted means all.',
    },
    featureSet: {
      type: 'string',
      enum: ['TechPreviewNoUpgrade', 'DevPreviewNoUpgrade', 'CustomNoUpgrade', 'OKD'],
      description: 'Turns on features that are not finished. Such a cluster cannot be upgraded.',
      default: '',
    },
    featureGates: {
      type: 'array',
      items: { type: 'string', description: 'A feature and whether it is on: `Name=true`.' },
      description: 'Single features, with featureSet CustomNoUpgrade.',
      default: [],
    },
    osImageStream: {
      type: 'string',
      enum: ['rhel-9', 'rhel-10'],
      description: 'The stream of operating system images. Omitted leaves the choice to the release.',
    },
    pki: {
      type: 'object',
      properties: {
        signerCertificates: {
          type: 'object',
          properties: {
            key: {
              type: 'object',
              properties: {
                algorithm: {
                  type: 'string',
                  enum: ['RSA', 'ECDSA'],
                  description: 'Which of the two the keys are.',
                },
                rsa: {
                  type: 'object',
                  properties: {
                    keySize: {
                      type: 'integer',
                      minimum: -9007199254740991,
                      maximum: 9007199254740991,
                      description: 'Bits: a multiple of 1024 from 2048 to 8192.',
                    },
                  },
                  additionalProperties: false,
                  description: 'With algorithm RSA.',
                },
                ecdsa: {
                  type: 'object',
                  properties: {
                    curve: { type: 'string', enum: ['P256', 'P384', 'P521'], description: 'The curve.' },
                  },
                  additionalProperties: false,
                  description: 'With algorithm ECDSA.',
                },
              },
              additionalProperties: false,
              description: 'Algorithm and size of the keys.',
            },
          },
          additionalProperties: false,
          description: 'The keys of the certificate authorities that the installer makes.',
        },
      },
      additionalProperties: false,
      description: 'Keys of the certificates that the installer makes. Technology preview.',
    },
  },
  required: ['apiVersion', 'metadata', 'baseDomain', 'pullSecret', 'platform'],
  additionalProperties: false,
  title: 'install-config.yaml',
  description: 'What cluster to install, as openshift-install reads it.',
};
