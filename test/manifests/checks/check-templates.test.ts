import { describe, expect, it } from 'vitest';

import { templateProblems } from '../../../src/manifests/checks/check-templates.js';
import { objectsOf } from '../../assets/manifests/given.js';
import { showProblem } from '../../support/show-problem.js';

function found(fields: string, kind = 'Thing'): readonly string[] {
  const text = `apiVersion: example.com/v1\nkind: ${kind}\nmetadata: {name: a}\n${fields}\n`;
  return templateProblems(objectsOf(text)).map(showProblem);
}

it.each([
  ['spec: {a: "{{ .Values.x }}"}', 'f.yaml:4:11 (spec.a): "{{ .Values.x }}"'],
  ['spec: {a: "registry.${DOMAIN}:5000/b"}', 'f.yaml:4:11 (spec.a): "${DOMAIN}"'],
  ['spec: {a: [$NAME]}', 'f.yaml:4:12 (spec.a[0]): "$NAME"'],
  ['data: {a: "{{hub x hub}} b"}', 'f.yaml:4:11 (data.a): "{{hub x hub}}"'],
  ['spec: {a: "{{- hub .b hub -}}"}', 'f.yaml:4:11 (spec.a): "{{- hub .b hub -}}"'],
  [
    'metadata2: {annotations: {a: "x {{hub y hub}}"}}',
    'f.yaml:4:30 (metadata2.annotations.a): "{{hub y hub}}"',
  ],
  ['spec: {a: "x-{{name}}-{{ b }}"}', 'f.yaml:4:11 (spec.a): "{{name}}"'],
])('%s is a placeholder', (fields, want) => {
  expect(found(fields)).toEqual([
    `warning[manifest/template-remains] ${want} is a placeholder that is not replaced`,
  ]);
});

describe('texts that are not placeholders', () => {
  it.each([
    'data: {a: "${HOME}"}',
    'data: {a: "{{ .github.hub }}", b: "{{hub", c: "{{ hubs }}"}',
    'spec: {containers: [{command: [sh, -c, "echo ${HOME}"], args: ["$X"]}]}',
    'spec: {env: [{name: A, value: "${B}"}]}',
    'spec: {value: $(NODE_NAME)}',
    'spec: {systemd: {units: [{contents: "ExecStart=/bin/kill $MAINPID"}]}}',
    'spec: {users: [{passwordHash: "$6$salt$hash"}]}',
    'spec: {note: "write ${x} here"}',
    'spec: {price: "5$", b: "$", c: "a$b"}',
  ])('%s', (fields) => {
    expect(found(fields)).toEqual([]);
  });

  it('a capture of nmstate', () => {
    const text = `apiVersion: nmstate.io/v1\nkind: NodeNetworkConfigurationPolicy\nmetadata: {name: a}\nspec: {a: "{{ capture.b.c }}", d: "{{ .e }}"}\n`;
    expect(templateProblems(objectsOf(text)).map(({ at }) => at?.path)).toEqual(['spec.d']);
  });

  it('a template of a rule', () => {
    expect(found('spec: {labels: {a: "{{ $labels.b }}"}}', 'PrometheusRule')).toEqual([]);
  });
});
