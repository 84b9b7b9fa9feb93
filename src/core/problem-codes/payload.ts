import type { CodeTable } from './entry.js';

/** Problems of payloads: files with all images of a release. */
export const payloadCodes = {
  'payload/manifest': {
    severity: 'error',
    fault: 'the manifest of a payload (`NAME.payload.json`) is missing, damaged or of another format',
    why: 'It names the release and its images; without it the config cannot be created.',
    fix: 'Copy the file that `sno-install create payload` wrote beside the payload.',
  },
  'config/payload-release': {
    severity: 'error',
    fault: 'the payload is of another release or architecture than the configs',
    why: 'The node installs the release that the payload contains, and has no other source for images.',
    fix: 'Remove `releaseImage`, `releaseVersion` and `imageReferences`: without them those of the payload are used. Or use a payload of the release and architecture that the configs name.',
  },
  'config/payload-registry': {
    severity: 'error',
    fault: 'the registry of the payload cannot serve this site',
    why: 'The docker-registry image of releases before 4.21 contains no `/usr/bin/distribution`, an image that is not of the release is not validated for FIPS, and the node generates the credentials of the registry.',
    fix: 'Follow the hint: make the payload with `registryImage` in payload.yaml, use a payload without it for FIPS, or remove the credentials for port 22625 from the pull secret.',
  },
  'config/payload-images': {
    severity: 'error',
    fault: 'images of manifests/ or post-install/ are not in the payload',
    why: 'A site with a payload pulls from it alone, so pods with these images would not start.',
    fix: 'Add the images to `additionalImages` in payload.yaml and make the payload again, or remove them from the manifests.',
  },
  'config/payload-mirror': {
    severity: 'error',
    fault: 'the configs or manifests have other mirrors for images of the payload',
    why: 'Two mirrors of one source contradict each other, and the payload contains all images of its sources that the site needs.',
    fix: 'Remove the entry. Mirrors of sources without images in the payload can stay.',
  },
  'aio/payload': {
    severity: 'error',
    fault: 'sno-config.yaml has a payload, and the target is an all-in-one machine',
    why: 'Only single-node clusters of OpenShift install from a payload.',
    fix: 'Remove `payload` from the sno-config.yaml of the all-in-one machine; `controlPlane.images` names its images in a registry of the site.',
  },
} as const satisfies CodeTable;
