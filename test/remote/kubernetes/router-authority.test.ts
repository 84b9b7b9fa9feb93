import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { addRouterAuthority } from '../../../src/cli/wait/wait-for.js';
import { withRouterAuthority } from '../../../src/remote/kubernetes/router-authority.js';
import { noAccess } from '../../../src/disk/state/state-access.js';
import { readYaml } from '../../../src/formats/yaml/yaml.js';
import { toData } from '../../../src/formats/yaml/yaml-tree.js';
import { scratchFolder } from '../../support/scratch.js';
import { kubeconfigText, throwawayAuthority, type Authority } from './throwaway-tls.js';

let own: Authority;
let router: Authority;
let text = '';
beforeAll(async () => {
  own = await throwawayAuthority('kube-apiserver-lb-signer');
  router = await throwawayAuthority('ingress-operator');
  text = kubeconfigText({ server: 'https://api.site1.example.com:6443', caPem: own.certPem });
});

function dataOf(kubeconfig: string): unknown {
  return readYaml(kubeconfig).documents.map(toData)[0];
}

/** The kubeconfig with another CA bundle. */
function trusting(kubeconfig: string, pem: string): string {
  return kubeconfig.replace(
    /(certificate-authority-data"?: *"?)[^"\s]+/,
    `$1${Buffer.from(pem).toString('base64')}`,
  );
}

/** The same certificate with another line width. */
function inLinesOf(width: number, pem: string): string {
  const [firstLine, ...body] = pem.trim().split('\n');
  const end = body.pop();
  return [firstLine, ...(body.join('').match(new RegExp(`.{1,${width}}`, 'g')) ?? []), end, ''].join('\n');
}

describe('a kubeconfig that is to trust the router', () => {
  it('adds the authority and keeps the rest', () => {
    const both = `${own.certPem.trimEnd()}\n${router.certPem.trimEnd()}\n`;
    expect(dataOf(withRouterAuthority(text, router.certPem) ?? '')).toEqual(dataOf(trusting(text, both)));
  });

  it.each([
    { name: 'trusts it already', given: () => trusting(text, own.certPem + router.certPem) },
    {
      name: 'trusts it already, in lines of another width',
      given: () => trusting(text, own.certPem + inLinesOf(76, router.certPem)),
    },
    {
      name: 'names its authority by file',
      given: () => 'clusters: [{name: a, cluster: {certificate-authority: ca.crt}}]',
    },
    { name: 'has no clusters', given: () => 'clusters: []' },
    { name: 'is none', given: () => 'clusters: [' },
  ])('that $name stays as it is', ({ given }) => {
    expect(withRouterAuthority(given(), router.certPem)).toBeUndefined();
  });

  it('that cannot be changed is a warning: cluster/router-authority', async () => {
    const dir = scratchFolder();
    const path = join(dir, 'kubeconfig');
    mkdirSync(path);
    expect(await addRouterAuthority({ path, dir, access: noAccess }, router.certPem)).toMatchObject({
      isAdded: false,
      warnings: [{ code: 'cluster/router-authority', severity: 'warning' }],
    });
  });
});
