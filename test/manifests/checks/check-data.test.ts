import { describe, expect, it } from 'vitest';

import { dataProblems } from '../../../src/manifests/checks/check-data.js';
import { objectsOf } from '../../assets/manifests/given.js';
import { showProblem } from '../../support/show-problem.js';

function found(kind: string, fields: string, apiVersion = 'v1'): readonly string[] {
  const text = `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a, namespace: b}\n${fields}\n`;
  return dataProblems(objectsOf(text)).map(showProblem);
}

describe('valid data of ConfigMaps and Secrets', () => {
  it.each([
    ['ConfigMap', 'data: {a: "1", B_c-d.e: "", .f: "x"}'],
    ['ConfigMap', 'data:\n  a: |\n    b: 1\n    c: true'],
    ['ConfigMap', 'data:\n  a:\nbinaryData: {b: AAA=}'],
    ['ConfigMap', 'data: null'],
    ['Secret', 'data: {a: YWJj, b: ""}\nstringData: {c: not base64}'],
    ['Secret', 'data:\n  a: |\n    YWJj\n    YWJj'],
    ['Secret', 'type: kubernetes.io/tls\ndata: {tls.crt: YQ==}\nstringData: {tls.key: b}'],
    ['Secret', 'type: kubernetes.io/basic-auth\nstringData: {password: b}'],
    ['Secret', 'type: kubernetes.io/dockerconfigjson\ndata: {.dockerconfigjson: e30=}'],
  ])('%s %s', (kind, fields) => {
    expect(found(kind, fields)).toEqual([]);
  });

  it('of another kind with that name', () => {
    expect(found('Secret', 'data: {a: 1}', 'example.com/v1')).toEqual([]);
  });
});

describe('data that it refuses', () => {
  it.each([
    ['ConfigMap', 'data: {a: 1}', 'f.yaml:4:11 (data.a): data["a"] must be a string, not a number'],
    ['ConfigMap', 'data: {a: yes}', 'f.yaml:4:11 (data.a): data["a"] must be a string, not a boolean'],
    ['ConfigMap', 'data: {a: {b: c}}', 'f.yaml:4:8 (data.a): data["a"] must be a string, not a map'],
    ['ConfigMap', 'data: [a]', 'f.yaml:4:1 (data): data must be a map of strings'],
    [
      'ConfigMap',
      'data: {a/b: c}',
      'f.yaml:4:8 (data["a/b"]): "a/b" is not a key for data, expected letters, digits, "-", "_" and "."',
    ],
    ['ConfigMap', 'binaryData: {a: "%"}', 'f.yaml:4:17 (binaryData.a): binaryData["a"] is not base64'],
    [
      'ConfigMap',
      'data: {a: b}\nbinaryData: {a: YQ==}',
      'f.yaml:5:17 (binaryData.a): the key "a" is in data and in binaryData',
    ],
    ['Secret', 'data: {a: plain text}', 'f.yaml:4:11 (data.a): data["a"] is not base64'],
    ['Secret', 'data: {a: YQ}', 'f.yaml:4:11 (data.a): data["a"] is not base64'],
    [
      'Secret',
      'stringData: {a: 8080}',
      'f.yaml:4:17 (stringData.a): stringData["a"] must be a string, not a number',
    ],
    [
      'Secret',
      'type: kubernetes.io/tls\ndata: {tls.crt: YQ==}',
      'f.yaml:4:7 (type): a Secret of type kubernetes.io/tls needs the key tls.key',
    ],
    [
      'ConfigMap',
      `data: {a: "${'a'.repeat(1_048_577)}"}`,
      'f.yaml:4:1 (data): the data is 1048577 bytes, expected at most 1048576',
    ],
    [
      'Secret',
      'type: kubernetes.io/basic-auth\nstringData: {user: a}',
      'f.yaml:4:7 (type): a Secret of type kubernetes.io/basic-auth needs the key username or password',
    ],
    [
      'Secret',
      'type: kubernetes.io/service-account-token',
      'f.yaml:4:7 (type): a Secret of type kubernetes.io/service-account-token needs the annotation kubernetes.io/service-account.name',
    ],
    [
      'Secret',
      'type: kubernetes.io/dockerconfigjson\nstringData: {.dockerconfigjson: no}',
      'f.yaml:5:33 (stringData[".dockerconfigjson"]): stringData[".dockerconfigjson"] must be a string, not a boolean',
    ],
    [
      'Secret',
      'type: kubernetes.io/dockerconfigjson\nstringData: {.dockerconfigjson: "{"}',
      'f.yaml:5:33 (stringData[".dockerconfigjson"]): stringData[".dockerconfigjson"] is not JSON',
    ],
  ])('%s %.40s', (kind, fields, want) => {
    expect(found(kind, fields)).toEqual([`error[manifest/data] ${want}`]);
  });
});
