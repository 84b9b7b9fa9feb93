import { describe, expect, test } from 'vitest';

import fleetFields from '#schemas/fleet' with { type: 'json' };
import installConfigFields from '#schemas/install-config' with { type: 'json' };
import snoConfigFields from '#schemas/sno-config' with { type: 'json' };

import { explainField, suggestFields } from '../../src/config/explain.js';
import { allRules } from '../../src/config/rules/all-rules.js';
import type { FieldSchema } from '../../src/formats/field-schema.js';

describe('explainField', () => {
  test('describes a field completely', () => {
    expect(explainField('networking.clusterNetwork[0].hostPrefix')).toEqual({
      file: 'install-config.yaml',
      path: 'networking.clusterNetwork[].hostPrefix',
      type: 'whole number',
      required: false,
      deprecated: false,
      secret: false,
      description:
        'Prefix length of the subnet that each node gets for its pods: 23 gives 510 addresses. 64 for IPv6. Required with OVNKubernetes.',
      rules: [
        {
          number: 27,
          file: 'install-config.yaml',
          fields: ['networking.clusterNetwork[].hostPrefix'],
          origin: 'openshift-install',
          text: 'hostPrefix is required with OVNKubernetes, is not smaller than the prefix of cidr, at most 30, equal in all IPv4 cluster networks, and 64 for IPv6.',
        },
      ],
      fields: [],
    });
  });

  test.each([
    { given: '', want: 'install-config.yaml ' },
    { given: 'sno-config', want: 'sno-config.yaml ' },
    { given: 'install-config.yaml', want: 'install-config.yaml ' },
    { given: 'controlPlane', want: 'install-config.yaml controlPlane' },
    { given: 'sno-config.controlPlane.render', want: 'sno-config.yaml controlPlane.render' },
    { given: 'certificates.validity', want: 'sno-config.yaml certificates.validity' },
    { given: 'compute[].name', want: 'install-config.yaml compute[].name' },
    { given: 'compute.name', want: 'install-config.yaml compute[].name' },
    { given: 'networking.serviceNetwork[1]', want: 'install-config.yaml networking.serviceNetwork' },
    { given: 'toString', want: undefined },
    { given: 'networkType', want: undefined },
  ])('finds "$given" at $want', ({ given, want }) => {
    const found = explainField(given);
    expect(found && `${found.file} ${found.path}`).toBe(want);
  });

  test('lists fields with the required ones first and the deprecated ones last', () => {
    const names = explainField('networking')?.fields.map(({ name }) => name);
    expect(names?.slice(-4)).toEqual(['machineCIDR', 'serviceCIDR', 'clusterNetworks', 'type']);
    expect(
      explainField('')
        ?.fields.slice(0, 5)
        .map(({ name, required }) => `${name} ${String(required)}`),
    ).toEqual(['apiVersion true', 'metadata true', 'baseDomain true', 'pullSecret true', 'platform true']);
  });

  test('shows defaults, values and secrets', () => {
    expect(explainField('cpuPartitioningMode')).toMatchObject({
      default: 'None',
      values: ['None', 'AllNodes'],
      secret: false,
    });
    expect(explainField('pullSecret')).toMatchObject({ secret: true, required: true });
    expect(explainField('imageContentSources')).toMatchObject({ deprecated: true, type: 'list of map' });
  });
});

test.each([
  { given: 'networkType', want: ['networking.networkType'] },
  { given: 'networking.netwrkType', want: ['networking.networkType'] },
  {
    given: 'cidr',
    want: [
      'networking.machineNetwork[].cidr',
      'networking.clusterNetwork[].cidr',
      'networking.clusterNetworks[].cidr',
    ],
  },
  { given: 'hostnme', want: ['hostname'] },
  { given: 'BASEDOMAIN', want: ['baseDomain'] },
  { given: 'nothing.like.it', want: [] },
])('suggestFields of $given', ({ given, want }) => {
  expect(suggestFields(given)).toEqual(want);
});

describe('rules', () => {
  test('have unique numbers, in order', () => {
    const numbers = allRules.map(({ number }) => number);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((left, right) => left - right));
  });

  test('name fields that exist', () => {
    for (const { fields, file } of allRules) {
      for (const field of fields)
        expect(explainField(file === 'sno-config.yaml' ? `sno-config.${field}` : field), field).toBeDefined();
    }
  });

  test('are sentences', () => {
    for (const { text } of allRules) expect(text).toMatch(/^[A-Za-z].*\.$/);
  });
});

describe('the JSON Schemas', () => {
  test.each([
    { name: 'install-config', schema: installConfigFields },
    { name: 'sno-config', schema: snoConfigFields },
    { name: 'fleet', schema: fleetFields },
  ])('$name: every field has a description that ends in a full stop', ({ schema }) => {
    expect(undescribed(schema)).toEqual([]);
  });

  test('of payload.yaml needs the whole name, because sno-config.yaml has a field payload', () => {
    expect(explainField('payload.yaml.additionalImages')).toMatchObject({ file: 'payload.yaml' });
    expect(explainField('payload.yaml')).toMatchObject({ file: 'payload.yaml', path: '' });
    expect(explainField('payload')).toMatchObject({ file: 'sno-config.yaml', path: 'payload' });
  });
});

/** Paths of fields whose description is missing or has no full stop. */
function undescribed(schema: FieldSchema, path = ''): readonly string[] {
  return Object.entries((schema.items ?? schema).properties ?? {}).flatMap(([name, child]) => [
    ...(child.description?.endsWith('.') ? [] : [`${path}.${name}`]),
    ...undescribed(child, `${path}.${name}`),
  ]);
}
