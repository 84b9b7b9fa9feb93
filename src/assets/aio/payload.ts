import { payloadProblems, type SitePayload } from '../../config/reading/payload.js';
import { problem } from '../../core/problem.js';
import { resultOf } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { payloadHosts, type PayloadRegistry } from '../../node/payload.js';
import { registryLeaf } from '../../pki/installer-catalog.js';
import { issuePair } from '../../pki/issue-pair.js';
import { givenReferences } from '../config/image-references.js';
import { installReading } from '../config/install-reading.js';
import { payloadReading } from '../config/payload-reading.js';
import { snoConfig, snoReading } from '../config/sno-config.js';
import { registryWith } from '../tls/payload-registry.js';
import { aioRelease } from './aio-release.js';
import { issuing } from './certificates.js';

/**
 * The payload of an all-in-one node; undefined without one. Checked even if the configs have other errors.
 * Problems: aio/payload, payload/manifest, and those of `payloadProblems`.
 */
export const aioSitePayload = defineAsset({
  name: 'aio/payload',
  needs: { reading: payloadReading, sno: snoReading, install: installReading, references: givenReferences },
  tryMake: ({ reading: { payload, problems }, sno, install, references }, { environment }) => {
    if (sno.config.payload === undefined) return resultOf<SitePayload | undefined>(undefined, []);
    const { operatingSystem } = sno.config.aio;
    if (operatingSystem === 'FedoraCoreOS')
      return resultOf<SitePayload | undefined>(undefined, [
        problem(
          'aio/payload',
          'Fedora CoreOS cannot be installed from a payload: Ignition downloads the kubelet before a payload can be read',
          {
            at: sno.placeOf(['payload']),
            hint: 'remove payload and use a mirror for files and images, or set controlPlane.distribution to OpenShift, for RHCOS',
          },
        ),
      ]);
    return resultOf<SitePayload | undefined>(payload, [
      ...problems,
      ...(payload === undefined
        ? []
        : payloadProblems(payload, { sno, install: install.draft, environment, references })),
    ]);
  },
});

/** Images of the control plane that are not in the payload. Problem: config/payload-images. */
export const aioPayloadImages = defineAsset({
  name: 'aio/payload-images',
  needs: { payload: aioSitePayload, release: aioRelease, sno: snoReading },
  tryMake: ({ payload, release: { images }, sno }) => {
    const known = new Set(payload?.manifest.images.map(({ image }) => image));
    const missing = Object.entries(images).filter(([, image]) => image !== '' && !known.has(image));
    const problems = missing.map(([name, image]) =>
      problem('config/payload-images', `the image of ${name}, ${image}, is not in the payload`, {
        at: sno.placeOf(['controlPlane', 'images', name]),
        hint: 'remove it from controlPlane.images, or add it by digest to additionalImages of payload.yaml and make the payload again',
      }),
    );
    return resultOf(undefined, payload === undefined ? [] : problems);
  },
});

/** The registry of the payload on an all-in-one node; undefined without a payload. Its certificate has its own CA. */
export const aioPayloadRegistry = defineAsset({
  name: 'aio/payload-registry',
  needs: { payload: aioSitePayload, checked: aioPayloadImages, issuing, sno: snoConfig },
  make: async (
    { payload, issuing: { keyAlgorithm, notBefore, notAfter } },
    { valueSource },
  ): Promise<PayloadRegistry | undefined> => {
    if (payload === undefined) return undefined;
    const validity = { notBefore, notAfter: notAfter.signer };
    const signer = await issuePair(
      {
        label: 'aio/payload-signer',
        subject: { organizationalUnit: 'sno-install', commonName: 'payload-signer' },
        isCa: true,
        ...validity,
      },
      { keyAlgorithm, valueSource },
    );
    const { subject, usages } = registryLeaf;
    const pair = await issuePair(
      { label: 'aio/payload-registry', subject, signer, ...validity, usages, hostnames: localNames },
      { keyAlgorithm, valueSource },
    );
    return registryWith(pair, { payload, hosts: payloadHosts(), authorityPem: signer.certPem, valueSource });
  },
});

const localNames = ['localhost', '127.0.0.1', '::1'];
