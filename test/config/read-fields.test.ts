import { expect, test } from 'vitest';

import type { Redacted } from '../../src/core/redacted.js';
import type { FleetInput } from '../../src/config/schema/fleet-schema.js';
import type { InstallConfig, InstallConfigInput } from '../../src/config/schema/install-config-schema.js';
import type { SnoConfig, SnoConfigInput } from '../../src/config/schema/sno-config-schema.js';
import type { Fleet } from '../../src/fleet/table/fleet-file.js';

/**
 * Path of every field of a type, as in `networking.machineNetwork.cidr`, including fields with children. List items count as their
 * list.
 */
type FieldPaths<T, Prefix extends string = ''> =
  T extends Redacted<unknown>
    ? never
    : T extends readonly (infer Item)[]
      ? FieldPaths<Item, Prefix>
      : T extends object
        ? {
            [Key in keyof T & string]:
              `${Prefix}${Key}` | FieldPaths<NonNullable<T[Key]>, `${Prefix}${Key}.`>;
          }[keyof T & string]
        : never;

/** Input fields that the model does not have under the same name. Each must be listed below with its treatment. */
type Unread<Input, Config, Named extends string> = Exclude<FieldPaths<Input>, FieldPaths<Config> | Named>;

type Nothing<T extends never> = T;

type Below<Field extends string> = Field | `${Field}.${string}`;

/** Read under the name of the field that replaced it. */
type InstallRenamed =
  | 'networking.clusterNetwork.hostSubnetLength'
  | Below<'networking.clusterNetworks'>
  | 'networking.machineCIDR'
  | 'networking.serviceCIDR'
  | 'networking.type';

/** Checked by a rule that allows one value or none. */
type InstallJudged =
  | 'apiVersion'
  | Below<'arbiter'>
  | 'credentialsMode'
  | 'networking.clusterNetworkMTU'
  | Below<'operatorPublishingStrategy'>
  | Below<'platform'>
  | Below<`${'compute' | 'controlPlane'}.${'diskSetup' | 'fencing' | 'management' | 'platform'}`>;

/** Passed on unchanged. */
type InstallPassedOn =
  Below<'metadata.annotations'> | Below<'metadata.labels'> | Below<'pki.signerCertificates'>;

/** Ignored, as openshift-install does. */
type InstallIgnored = 'kind' | 'metadata.creationTimestamp' | 'metadata.namespace';

type InstallNamed = InstallRenamed | InstallJudged | InstallPassedOn | InstallIgnored;

/** Converted to seconds, or to the one hash. */
type SnoRenamed =
  | 'aio.files.sha256'
  | 'aio.files.sha512'
  | 'certificates.backdate'
  | 'certificates.validity'
  | 'controlPlane.certificates.leaves'
  | 'controlPlane.certificates.signers'
  | 'kubelet.gracefulShutdown.criticalPods'
  | 'kubelet.gracefulShutdown.total'
  | 'postInstallTimeout';

/** Read before the rest of the file, instead of fields of install-config.yaml. */
type SnoElsewhere = 'pullSecretFile' | 'sshKeyFile';

type SnoNamed = SnoRenamed | SnoElsewhere | 'apiVersion' | 'kind';

/** Other functions read the blocks of fleet.yaml. */
type UnreadOfFleet<Input> = Exclude<keyof Input, keyof Fleet | 'apiVersion' | 'kind'>;

type Top = InstallConfigInput & { readonly novelty?: string };
type InList = InstallConfigInput & { readonly compute?: readonly { readonly novelty?: string }[] };
type InMap = SnoConfigInput & { readonly dns?: { readonly novelty?: boolean } };

/** The type checker proves this. */
type Proven = readonly [
  Nothing<Unread<InstallConfigInput, InstallConfig, InstallNamed>>,
  Nothing<Unread<SnoConfigInput, SnoConfig, SnoNamed>>,
  Nothing<UnreadOfFleet<FleetInput>>,
  // @ts-expect-error -- an unread field
  Nothing<Unread<Top, InstallConfig, InstallNamed>>,
  // @ts-expect-error -- an unread field, within a list
  Nothing<Unread<InList, InstallConfig, InstallNamed>>,
  // @ts-expect-error -- an unread field, within a map
  Nothing<Unread<InMap, SnoConfig, SnoNamed>>,
  // @ts-expect-error -- an unread field of fleet.yaml
  Nothing<UnreadOfFleet<FleetInput & { readonly novelty?: string }>>,
];

test('a field that is added to a schema and read nowhere is an error of types', () => {
  const proofs: Proven['length'] = 7;
  expect(proofs).toBe(7);
});
