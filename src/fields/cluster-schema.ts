import { z } from 'zod';

import { allCapabilities, capabilitySets } from '../release/capability-sets.js';
import { required, optional } from './schema-parts.js';

/** Source: openshift/api config/v1 types_cluster_version.go, KnownClusterVersionCapabilities. */
const capability = z
  .enum(allCapabilities)
  .meta({ description: 'A component that can be left out of a cluster.' });
/** `capabilities`: what a cluster has of what can be left out. */
export const capabilities = z.strictObject({
  baselineCapabilitySet: required(
    z.enum(capabilitySets),
    'The set to start from: what a release had, everything (`vCurrent`), or `None`.',
  ),
  additionalEnabledCapabilities: optional(z.array(capability), 'Components to add to the set.', {
    default: [],
  }),
});

/** Source: openshift/api config/v1alpha1 types_pki.go. */
const signerKey = z.strictObject({
  algorithm: optional(z.enum(['RSA', 'ECDSA']), 'Which of the two the keys are.'),
  rsa: optional(
    z.strictObject({
      keySize: optional(z.int(), 'Bits: a multiple of 1024 from 2048 to 8192.'),
    }),
    'With algorithm RSA.',
  ),
  ecdsa: optional(
    z.strictObject({ curve: optional(z.enum(['P256', 'P384', 'P521']), 'The curve.') }),
    'With algorithm ECDSA.',
  ),
});

/** `pki`: of what kind the keys of the authorities are. */
export const pki = z.strictObject({
  signerCertificates: optional(
    z.strictObject({ key: optional(signerKey, 'Algorithm and size of the keys.') }),
    'The keys of the certificate authorities that the installer makes.',
  ),
});
