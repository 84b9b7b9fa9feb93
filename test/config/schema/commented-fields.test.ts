import { expect, test } from 'vitest';

import { commentedFields } from '../../../src/config/schema/commented-fields.js';
import type { FieldSchema } from '../../../src/formats/field-schema.js';

const schema: FieldSchema = {
  type: 'object',
  properties: {
    kind: { type: 'string', description: 'Always `K`.', examples: ['K'] },
    old: { type: 'string', description: 'Gone.', deprecated: true },
    level: { type: 'string', description: 'How much.', enum: ['Low', 'High'], default: 'Low' },
    password: { type: 'string', description: 'To get in.', writeOnly: true },
    network: {
      type: 'object',
      description: 'The network.',
      properties: {
        name: { type: 'string', description: 'What it is called.' },
        mtu: { type: 'integer', description: 'Largest packet.', minimum: 68 },
        isUp: { type: 'boolean', description: 'Whether it is up.' },
        labels: { type: 'object', description: 'Labels.', additionalProperties: { type: 'string' } },
        servers: { type: 'array', description: 'Servers.', items: { type: 'string' }, default: [] },
        interfaces: {
          type: 'array',
          description: 'Interfaces.',
          items: {
            type: 'object',
            properties: { mac: { type: 'string', description: 'Its address.', examples: ['no'] } },
          },
        },
      },
    },
  },
  required: ['kind'],
};

test('writes a field, or a comment with its description', () => {
  expect(commentedFields(schema, {})).toBe(`# Always \`K\`.
kind: K

# How much. One of Low, High. Omitted means Low.
# level: Low

# To get in. A secret.
# password: <password>

# The network.
# network:
#   # What it is called.
#   name: <name>
#   # Largest packet.
#   mtu: 68
#   # Whether it is up.
#   isUp: true
#   # Labels.
#   labels: {}
#   # Servers. Omitted means none.
#   servers: []
#   # Interfaces.
#   interfaces:
#     -
#       # Its address.
#       mac: "no"
`);
});

test('writes given fields, and comments for the others', () => {
  const network = { mtu: 9000, servers: ['a', '1'], interfaces: [{ mac: 'b' }] };
  expect(commentedFields({ ...schema, required: [] }, { network })).toBe(`# Always \`K\`.
# kind: K

# How much. One of Low, High. Omitted means Low.
# level: Low

# To get in. A secret.
# password: <password>

# The network.
network:
  # What it is called.
  # name: <name>
  # Largest packet.
  mtu: 9000
  # Whether it is up.
  # isUp: true
  # Labels.
  # labels: {}
  # Servers. Omitted means none.
  servers:
    - a
    - "1"
  # Interfaces.
  interfaces:
    - mac: b
`);
});

test('long descriptions are broken between words, the further in the sooner', () => {
  const description = `${'word '.repeat(40)}end.`;
  const inner: FieldSchema = { type: 'string', description };
  const text = commentedFields(
    { type: 'object', properties: { outer: { type: 'object', description, properties: { inner } } } },
    {},
  );
  const lengths = text.split('\n').map((line) => line.length);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(112);
  expect(Math.max(...lengths)).toBeGreaterThan(100);
  expect(text.match(/word/g)).toHaveLength(80);
});
