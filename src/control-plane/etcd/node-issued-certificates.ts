import type { DistinguishedName, ExtendedUsage } from '../../formats/keys/x509.js';
import { componentNames, resourceFolder } from '../../kube/components.js';
import type { ControlPlaneInputs } from '../loops/loop-inputs.js';
import { revision } from '../loops/revision.js';
import { rotatorSecret } from '../loops/rotation.js';
import { namings } from '../../pki/hostnames.js';
import { targetRotators, type TargetRotator } from '../../pki/rotators.js';
import type { SignerRotatorName, ObjectPlace } from '../../pki/signer-rotators.js';
import { allCertsName, nodeRotatorNames, type NodeRotatorName } from './certificates.js';
import { openShiftEtcd } from './openshift.js';

/** Input of the script that issues a certificate on the node, for certificates whose names are not known before first boot. */
export interface NodeIssuedCertificate {
  readonly name: NodeRotatorName;
  readonly signer: SignerRotatorName;
  readonly subject: DistinguishedName;
  /** Subject alternative names, DNS and IP; may contain the placeholders of the node. */
  readonly hostnames: readonly string[];
  readonly usages: readonly ExtendedUsage[];
  readonly days: number;
  /** Append the signer's certificate to the file. */
  readonly appendsSigner: true;
  /** Paths of the pair, for the current revision and for the renewable certificates; all files have mode 0600. */
  readonly files: readonly { readonly certFile: string; readonly keyFile: string }[];
  /** The objects that contain the pair, with the data keys of certificate and key; the pair's own Secret first. Missing data keys are added. */
  readonly objects: readonly (ObjectPlace & { readonly certKey: string; readonly keyKey: string })[];
}

/** OpenShift's etcd certificates missing from `inputs.issued`, in the order of the rotator table. */
export function nodeIssuedCertificates(inputs: ControlPlaneInputs): readonly NodeIssuedCertificate[] {
  return nodeRotatorNames(openShiftEtcd)
    .filter((name) => inputs.issued[name] === undefined)
    .map((name) => nodeIssued(name, targetRotators[name], inputs));
}

function nodeIssued(
  name: NodeRotatorName,
  rotator: TargetRotator,
  inputs: ControlPlaneInputs,
): NodeIssuedCertificate {
  const { subject, signer, usages, lifetimeDays } = rotator;
  const place = rotatorSecret(rotator, inputs);
  const facts = { ...inputs, naming: namings.OpenShift };
  const keys = { certKey: `${place.name}.crt`, keyKey: `${place.name}.key` };
  const { namespace } = componentNames.etcd;
  return {
    name,
    signer,
    subject: typeof subject === 'function' ? subject(facts) : subject,
    hostnames: rotator.hostnames?.(facts) ?? [],
    usages,
    days: lifetimeDays,
    appendsSigner: true,
    files: pairFolders().map((folder) => ({
      certFile: `${folder}/${keys.certKey}`,
      keyFile: `${folder}/${keys.keyKey}`,
    })),
    objects: [
      { ...place, certKey: 'tls.crt', keyKey: 'tls.key' },
      { namespace, name: allCertsName, ...keys },
      { namespace, name: `${allCertsName}-${revision}`, ...keys },
    ],
  };
}

/** Host folders to which the installer step writes the Secret: one for the revision, one for renewals. */
function pairFolders(): readonly string[] {
  const { base, certsFolder } = componentNames.etcd;
  return [
    `${resourceFolder}/${base}-pod-${revision}/secrets/${allCertsName}`,
    `${resourceFolder}/${certsFolder}/secrets/${allCertsName}`,
  ];
}
