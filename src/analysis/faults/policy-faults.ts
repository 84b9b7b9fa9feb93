import type { Fault } from './fault.js';
import { createAgain, pullsAgain } from './next-steps.js';
import { pullFails } from './pull-signs.js';

/** Faults whose cause is in the files of the node for pulls. Source of the texts: github.com/containers/image signature, pkg and docker */
export const policyFaults: readonly Fault[] = [
  {
    id: 'pull-secret-unusable',
    title: 'the pull secret on the node cannot be read',
    stages: 'any',
    signs: pullFails(
      /getting username and password: (?!.*(?:unauthorized|denied))|unmarshaling (?:JSON|\\*"(?:auths|credHelpers)\\*" in JSON) at |unable to parse auth field/,
    ),
    cause: 'The file is no JSON, or the auth of an entry is not USER:PASSWORD in base64.',
    fix: `Correct pullSecret in install-config.yaml: \`jq . FILE\` reads it, and \`echo AUTH | base64 --decode\` prints USER:PASSWORD. ${createAgain}`,
  },
  {
    id: 'registries-conf-unusable',
    title: 'registries.conf on the node is not valid',
    stages: 'any',
    signs: pullFails(
      /[Ll]oading registries|registries\.conf\S*: toml: |loading drop-in registries configuration/,
    ),
    cause:
      'A MachineConfig or another file of the Ignition config writes registries.conf, and it is no valid TOML.',
    fix: `\`sno-install why /etc/containers/registries.conf\` names the input of the file. Correct it, or remove it: imageDigestSources of install-config.yaml configures mirrors. ${createAgain}`,
  },
  {
    id: 'signature-policy-unusable',
    title: 'policy.json on the node is missing or not valid',
    stages: 'any',
    signs: pullFails(/invalid policy in |no policy\.json file found|(?:open|reading) \S*policy\.json/),
    cause: 'A MachineConfig or another file of the Ignition config replaces /etc/containers/policy.json.',
    fix: `\`sno-install why /etc/containers/policy.json\` names the input of the file. Remove it, or correct it: it needs a "default". ClusterImagePolicy and ImagePolicy objects change the policy without a file. ${createAgain}`,
  },
  {
    id: 'image-signature-missing',
    title: 'the image must be signed, and the registry has no signature',
    stages: 'any',
    signs: pullFails(/A signature was required, but no signature exists/),
    cause:
      'A policy requires a signature for this image: the ClusterImagePolicy openshift of the release, or one of the manifests. The mirror has the image without its signature.',
    fix: `Mirror the signature too: \`skopeo inspect docker://REPOSITORY:sha256-DIGEST.sig\` must succeed for the repository of the mirror (oc-mirror v2 copies it). ${pullsAgain}`,
  },
  {
    id: 'image-signature-invalid',
    title: 'the signature of the image is not accepted',
    stages: 'any',
    signs: pullFails(
      /None of the signatures were accepted|Source image rejected: (?!Running image|Any signatures|A signature was required)/,
    ),
    cause: 'The image is signed by another key, or for another name than the policy accepts.',
    fix: `\`cosign verify --key KEY IMAGE\` checks the signature with the key of the ClusterImagePolicy or ImagePolicy; compare its signedIdentity with the name. Mirror the image and its signature again: ${pullsAgain} Or correct the policy in manifests/. ${createAgain}`,
  },
  {
    id: 'image-signature-unreadable',
    title: 'the signatures of the image cannot be fetched',
    stages: 'any',
    signs: pullFails(/(?:reading|downloading) signatures?\b[^:]*: /),
    cause:
      'The image itself is readable, but the place of its signatures answers with an error, or not at all.',
    fix: `Mirror the signatures with the image (oc-mirror v2 does), or allow the host in the line on proxy and firewall; \`curl --head URL\` of the line must succeed on the node. ${pullsAgain}`,
  },
  {
    id: 'image-rejected-by-policy',
    title: 'a policy of the node rejects the image',
    stages: 'any',
    signs: pullFails(
      /Running image \S+ is rejected by policy|Any signatures for image \S+ are rejected by policy/,
    ),
    cause:
      'The registry is not among allowedRegistries, or among blockedRegistries, of the Image object in manifests/.',
    fix: `Add the registry of the release and of the mirror to registrySources.allowedRegistries of the Image object in manifests/, or remove it from blockedRegistries. ${createAgain}`,
  },
];
