import { expect, it } from 'vitest';

import { networkPolicyProblems } from '../../../src/manifests/checks/check-network-policy.js';
import { objectsOf } from '../../assets/manifests/given.js';

function found(spec: string, apiVersion = 'nmstate.io/v1'): readonly string[] {
  const text = `apiVersion: ${apiVersion}\nkind: NodeNetworkConfigurationPolicy\nmetadata: {name: a}\nspec: {${spec}}\n`;
  return networkPolicyProblems(objectsOf(text)).map(
    ({ code, at, message }) => `${code} ${at?.line ?? 0} ${at?.path ?? ''}: ${message}`,
  );
}

it.each([
  [
    'desiredState: {interfaces: [{name: bond0.100-storage, type: vlan}]}',
    'manifest/network-policy 4 spec.desiredState.interfaces[0].name: desiredState has "bond0.100-storage" in interfaces[0].name, which is not a name of an interface: it is longer than 15 characters, so nmstate refuses the policy',
  ],
  [
    'desiredState: {capture: {}}',
    'manifest/network-policy 4 spec.desiredState.capture: desiredState has the unknown field "capture", so nmstate refuses the policy',
  ],
  [
    'desiredState: {interfaces: [{name: eth0, ipv5: {}}]}',
    'manifest/ignored-field 4 spec.desiredState.interfaces[0].ipv5: desiredState has the unknown field "ipv5" in interfaces[0], which nmstate ignores',
  ],
  [
    'capture: {uplink: interfaces.name=="eth0"}, desiredState: {interfaces: [{name: "{{ capture.upllnk.interfaces.0.name }}"}]}',
    'manifest/network-policy 4 spec.desiredState.interfaces[0].name: desiredState has a reference to "upllnk" in interfaces[0].name, which is not in spec.capture, so nmstate refuses the policy',
  ],
])('%s', (spec, want) => {
  expect(found(spec)).toEqual([want]);
});

it.each([
  ['nodeSelector: {a: b}, maxUnavailable: 50%', 'nmstate.io/v1'],
  ['desiredState: {}', 'nmstate.io/v1beta1'],
  [
    'capture: {gw: interfaces.name=="eth0"}, desiredState: {interfaces: [{name: "{{ capture.gw.interfaces.0.name }}"}]}',
    'nmstate.io/v1',
  ],
  ['desiredState: {any: thing}', 'example.com/v1'],
])('accepts %s', (spec, apiVersion) => {
  expect(found(spec, apiVersion)).toEqual([]);
});
