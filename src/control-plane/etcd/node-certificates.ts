import type { DistinguishedName, ExtendedUsage } from '../../formats/keys/x509.js';
import { componentNames, resourceFolder } from '../../kube/components.js';
import type { ControlPlaneInputs } from '../loops/loop-inputs.js';
import { revision } from '../loops/revision.js';
import { secretPlaceOf } from '../loops/rotation.js';
import { namings } from '../../pki/hostnames.js';
import { targetRotators, type TargetRotator } from '../../pki/rotators.js';
import type { SignerRotatorName, ObjectPlace } from '../../pki/signer-rotators.js';
import { allCertsName, nodeRotatorNames, type NodeRotatorName } from './certificates.js';
import { openShiftEtcd } from './openshift.js';

/** A certificate that the node issues itself, since its names are not known before: what a script needs for that. */
export interface NodeIssuedCertificate {
  readonly name: NodeRotatorName;
  readonly signer: SignerRotatorName;
  readonly subject: DistinguishedName;
  /** Names and addresses that it is valid for; may hold the node's placeholders. */
  readonly hostnames: readonly string[];
  readonly usages: readonly ExtendedUsage[];
  readonly days: number;
  /** The signer's certificate follows in the file. */
  readonly appendsSigner: true;
  /** Where the pair is written, for the running revision and for what is renewed in place; both files 0600. */
  readonly files: readonly { readonly certFile: string; readonly keyFile: string }[];
  /** The objects that hold the pair, each with its two keys, the pair's own first; absent keys are to be added. */
  readonly objects: readonly (ObjectPlace & { readonly certKey: string; readonly keyKey: string })[];
}

/** OpenShift's etcd certificates that `inputs.issued` lacks, in the order of the table. */
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
  const place = secretPlaceOf(rotator, inputs);
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

/** The folders below which the installer step lays the Secret, as the host sees them: for the revision, and for renewals. */
function pairFolders(): readonly string[] {
  const { base, certsFolder } = componentNames.etcd;
  return [
    `${resourceFolder}/${base}-pod-${revision}/secrets/${allCertsName}`,
    `${resourceFolder}/${certsFolder}/secrets/${allCertsName}`,
  ];
}
