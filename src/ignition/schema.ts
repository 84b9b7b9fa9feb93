/**
 * The configs we write, more strictly than the schema of the spec: nothing unknown, every member of its one type, every
 * number in its range. JSON Schema draft-07; src/ignition/schema-check.generated.ts is made from it.
 * Source: coreos.github.io/ignition/configuration-v3_2
 */
export const configSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  definitions: {
    source: {
      type: 'object',
      properties: { source: { type: 'string', pattern: '^(data:|https://)' } },
      required: ['source'],
      additionalProperties: false,
    },
    // What a file holds: in the config itself, or fetched and then held against its hash.
    resource: {
      type: 'object',
      properties: {
        source: { type: 'string', pattern: '^(data:|https://)' },
        compression: { const: 'gzip' },
        verification: {
          type: 'object',
          properties: { hash: { type: 'string', pattern: '^(sha256-[0-9a-f]{64}|sha512-[0-9a-f]{128})$' } },
          required: ['hash'],
          additionalProperties: false,
        },
      },
      required: ['source'],
      additionalProperties: false,
      if: { properties: { source: { type: 'string', pattern: '^https:' } } },
      then: { required: ['verification'] },
    },
    proxy: {
      type: 'object',
      properties: {
        httpProxy: { type: 'string', pattern: '^.' },
        httpsProxy: { type: 'string', pattern: '^.' },
        noProxy: { type: 'array', items: { type: 'string', pattern: '^.' } },
      },
      additionalProperties: false,
    },
    path: { type: 'string', pattern: '^/' },
    // Permission bits alone: setuid, setgid and sticky are ignored before spec 3.6.
    mode: { type: 'integer', minimum: 0, maximum: 0o777 },
    root: {
      type: 'object',
      properties: { name: { const: 'root' } },
      required: ['name'],
      additionalProperties: false,
    },
    security: {
      type: 'object',
      properties: {
        tls: {
          type: 'object',
          properties: {
            certificateAuthorities: { type: 'array', minItems: 1, items: { $ref: '#/definitions/source' } },
          },
          required: ['certificateAuthorities'],
          additionalProperties: false,
        },
      },
      required: ['tls'],
      additionalProperties: false,
    },
    ignition: {
      type: 'object',
      properties: {
        version: { const: '3.2.0' },
        config: {
          type: 'object',
          properties: { merge: { type: 'array', items: { $ref: '#/definitions/source' } } },
          additionalProperties: false,
        },
        proxy: { $ref: '#/definitions/proxy' },
        security: { $ref: '#/definitions/security' },
      },
      required: ['version'],
      additionalProperties: false,
    },
    user: {
      type: 'object',
      properties: {
        name: { type: 'string', pattern: '^[a-z_][a-z0-9_-]{0,31}$' },
        // One key on one line: a type, the key, perhaps a comment.
        sshAuthorizedKeys: {
          type: 'array',
          items: { type: 'string', pattern: '^\\S[^\\r\\n]* [^\\r\\n]+$' },
        },
      },
      required: ['name', 'sshAuthorizedKeys'],
      additionalProperties: false,
    },
    file: {
      type: 'object',
      properties: {
        path: { $ref: '#/definitions/path' },
        mode: { $ref: '#/definitions/mode' },
        user: { $ref: '#/definitions/root' },
        overwrite: { type: 'boolean' },
        contents: { $ref: '#/definitions/resource' },
        append: { type: 'array', minItems: 1, items: { $ref: '#/definitions/resource' } },
      },
      required: ['path', 'mode', 'user', 'overwrite'],
      additionalProperties: false,
      // Either the file is replaced, or something is added to the one that is there.
      oneOf: [
        { required: ['contents'], properties: { overwrite: { const: true } } },
        { required: ['append'], properties: { overwrite: { const: false } } },
      ],
    },
    directory: {
      type: 'object',
      properties: {
        path: { $ref: '#/definitions/path' },
        mode: { $ref: '#/definitions/mode' },
        user: { $ref: '#/definitions/root' },
        overwrite: { type: 'boolean' },
      },
      required: ['path', 'mode', 'user'],
      additionalProperties: false,
    },
    unit: {
      type: 'object',
      properties: {
        name: { type: 'string', pattern: '^[^/\\s]+$' },
        enabled: { const: true },
        mask: { const: true },
        contents: { type: 'string' },
        dropins: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              name: { type: 'string', pattern: '^[^/\\s]+$' },
              contents: { type: 'string' },
            },
            required: ['name', 'contents'],
            additionalProperties: false,
          },
        },
      },
      required: ['name'],
      additionalProperties: false,
    },
  },
  type: 'object',
  properties: {
    ignition: { $ref: '#/definitions/ignition' },
    passwd: {
      type: 'object',
      properties: { users: { type: 'array', items: { $ref: '#/definitions/user' } } },
      additionalProperties: false,
    },
    storage: {
      type: 'object',
      properties: {
        files: { type: 'array', items: { $ref: '#/definitions/file' } },
        directories: { type: 'array', items: { $ref: '#/definitions/directory' } },
      },
      additionalProperties: false,
    },
    systemd: {
      type: 'object',
      properties: { units: { type: 'array', items: { $ref: '#/definitions/unit' } } },
      additionalProperties: false,
    },
  },
  required: ['ignition'],
  additionalProperties: false,
} as const;
