import type { FieldSchema } from '../../formats/field-schema.js';

/** Generated from sno-config-schema.ts; `UPDATE_GOLDEN=1 npx vitest run test/assets/config/schema.test.ts` writes it anew. */
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
            'Who writes the manifests of the first control plane: the operators of the release, on the node, or sno-install, which is not available yet.',
          default: 'Release',
        },
      },
      additionalProperties: false,
      description: 'How the first control plane comes to be.',
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
