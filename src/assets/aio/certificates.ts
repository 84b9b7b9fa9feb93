import { keyPairPem } from '../../formats/keys/private-key.js';
import { defineAsset } from '../../graph/asset.js';
import { nodeIdentity } from '../../node/aio/node-facts.js';
import { clientCatalog, aioRotators, type ClientName, type Lifetime } from '../../pki/aio-clients.js';
import { namings } from '../../pki/hostnames.js';
import { pairOf, type RotatorPairs } from '../../pki/rotator-pairs.js';
import type { CertifiedKey } from '../../pki/certified-key.js';
import { issuePair } from '../../pki/issue-pair.js';
import { issueRotators } from '../../pki/issue-rotators.js';
import { addSeconds } from '../../pki/validity.js';
import { installerSigner, issuerAbove } from '../../pki/authority/user-authority.js';
import { authority } from '../config/authority.js';
import { installConfig } from '../config/install-config.js';
import { snoConfig } from '../config/sno-config.js';
import { nodeFacts } from './node-facts.js';

/** Validity of each lifetime, and the key algorithm. */
export const issuing = defineAsset({
  name: 'aio/issuing',
  needs: { install: installConfig, sno: snoConfig },
  make: ({ sno }, { now }) => {
    const { validitySeconds, backdateSeconds, keyAlgorithm } = sno.certificates;
    const { signersSeconds, leavesSeconds } = sno.controlPlane.certificates;
    return {
      keyAlgorithm,
      notBefore: addSeconds(now, -backdateSeconds),
      notAfter: {
        boot: addSeconds(now, validitySeconds),
        leaf: addSeconds(now, leavesSeconds),
        signer: addSeconds(now, signersSeconds),
      },
    };
  },
});

/** All pairs of the control plane, by rotator. */
export const rotatorPairs = defineAsset({
  name: 'aio/control-plane-certificates',
  needs: { facts: nodeFacts, issuing, authority },
  make: async ({ facts, issuing, authority }, { valueSource }): Promise<RotatorPairs> =>
    issueRotators(
      {
        facts: {
          naming: namings.Kubernetes,
          node: nodeIdentity(facts),
          networks: facts.networks,
          apiServer: facts.apiServer,
        },
        wanted: aioRotators,
        given: {},
        labelPrefix: 'aio/',
        keyAlgorithm: issuing.keyAlgorithm,
        // Independent of the time of issue: a kubeconfig generated later still matches the node booted with the first config.
        authorityName: (name) => `sno-install_${name}`,
        above: (name) => issuerAbove(installerSigner(name), authority),
        notBefore: issuing.notBefore,
        notAfter: (_rotator, kind) => issuing.notAfter[kind === 'signer' ? 'signer' : 'leaf'],
      },
      valueSource,
    ),
});

/** CAs of administrators and of the first boot; their keys are stored only in the state file. */
export const ownSigners = defineAsset({
  name: 'aio/own-signers',
  needs: { issuing, authority },
  make: async ({ issuing, authority }, { valueSource }) => {
    const { keyAlgorithm, notBefore, notAfter } = issuing;
    const above = issuerAbove('admin-kubeconfig-signer', authority);
    const signer = (name: string, lifetime: Lifetime): Promise<CertifiedKey> =>
      issuePair(
        {
          label: `aio/${name}`,
          subject: { organizationalUnit: 'sno-install', commonName: name },
          ...(name === 'admin-signer' && above && { signer: above }),
          isCa: true,
          notBefore,
          notAfter: notAfter[lifetime],
        },
        { keyAlgorithm, valueSource },
      );
    const [admin, boot] = await Promise.all([
      signer('admin-signer', 'signer'),
      signer('boot-signer', 'boot'),
    ]);
    return { 'admin-signer': admin, 'boot-signer': boot };
  },
});

/** Client certificates of `clientCatalog`. */
export const clientPairs = defineAsset({
  name: 'aio/client-certificates',
  needs: { issuing, ownSigners, rotators: rotatorPairs },
  make: async (
    { issuing, ownSigners, rotators },
    { valueSource },
  ): Promise<Readonly<Record<ClientName, CertifiedKey>>> => {
    const { keyAlgorithm, notBefore, notAfter } = issuing;
    const issue = (name: ClientName): Promise<CertifiedKey> => {
      const { signer, subject, usages, lifetime } = clientCatalog[name];
      const by = pairOf({ ...rotators, ...ownSigners }, signer);
      return issuePair(
        { label: `aio/${name}`, subject, signer: by, notBefore, notAfter: notAfter[lifetime], usages },
        { keyAlgorithm, valueSource },
      );
    };
    return {
      'admin-client': await issue('admin-client'),
      'kubelet-bootstrap-client': await issue('kubelet-bootstrap-client'),
      'aiokube-client': await issue('aiokube-client'),
      'kube-proxy-client': await issue('kube-proxy-client'),
      'csr-approver-client': await issue('csr-approver-client'),
    };
  },
});

/** Key pairs of service-account tokens; always RSA, independent of `certificates.keyAlgorithm`. */
export const serviceAccountKeys = defineAsset({
  name: 'aio/service-account-keys',
  // Unused dependency: no key is generated while the configs have errors.
  needs: { issuing },
  make: async (_needs, { valueSource }) => {
    const [legacy, bound] = await Promise.all([
      valueSource.rsaKey('aio/service-account', 2048),
      valueSource.rsaKey('aio/bound-service-account', 2048),
    ]);
    return {
      legacy: keyPairPem(legacy),
      bound: keyPairPem(bound),
    };
  },
});

/** Period in which the config can be booted: the validity of the first boot's client certificates. The node renews all others. */
export const aioBootWindow = defineAsset({
  name: 'aio/boot-window',
  needs: { clients: clientPairs },
  make: ({ clients }) => {
    const pairs = [clients['kubelet-bootstrap-client'], clients['aiokube-client']];
    return {
      notBefore: new Date(Math.max(...pairs.map(({ notBefore }) => notBefore.getTime()))),
      bootableUntil: new Date(Math.min(...pairs.map(({ notAfter }) => notAfter.getTime()))),
    };
  },
});
