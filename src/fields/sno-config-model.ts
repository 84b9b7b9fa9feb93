import type { NetworkDescription } from './network-model.js';
import type { ReplaceableSigner } from './replaceable-signers.js';
import type { AioControlPlane, AioMachine } from './aio-model.js';

/** sno-config.yaml after defaults: what a node needs and install-config.yaml cannot say. */
export interface SnoConfig {
  /** As given, or as `network` gives it. */
  readonly hostname?: string;
  /** As given, or the one static address of `network` in a machine network of the first family. */
  readonly nodeIP?: string;
  /** Pull spec of the release payload. */
  readonly releaseImage?: string;
  /** `<major>.<minor>` of the payload when the pull spec does not say it, such as `4.18`. */
  readonly releaseVersion?: string;
  /** Path of an ImageStream file as `oc adm release info` gives it. */
  readonly imageReferences?: string;
  readonly controlPlane: AioControlPlane & {
    /** As the user chose; `controlPlaneRender` says whether it can be had. */
    readonly render: 'Installer' | 'Release';
  };
  readonly aio: AioMachine;
  readonly certificates: {
    /** How long what the live phase needs is valid. */
    readonly validitySeconds: number;
    /** How far `notBefore` lies before the clock, against clock skew of the node. */
    readonly backdateSeconds: number;
    readonly keyAlgorithm: KeyAlgorithm;
    /** Absent where signers sign themselves. */
    readonly authority?: {
      /** References, as they were written. */
      readonly certificate: string;
      readonly key: string;
      readonly signs: readonly ReplaceableSigner[];
    };
  };
  readonly kubelet: {
    /** Off when undefined. */
    readonly gracefulShutdown?: { readonly totalSeconds: number; readonly criticalPodsSeconds: number };
  };
  readonly dns: { readonly local: boolean };
  /** As it was written: what may be left out, and what that means, is said by room `network`. */
  readonly network?: NetworkDescription;
  readonly ntpSources: readonly string[];
  /** What becomes of an installation disk that holds something already. */
  readonly reinstall: 'Refuse' | 'SameCluster' | 'Always';
  readonly kernelArguments: readonly string[];
  /** Absent where the node reports nothing. */
  readonly report?: { readonly url: string; readonly caBundle?: string };
  /** Paths of files or folders, relative to the directory. */
  readonly extraManifests: readonly string[];
  readonly state: {
    /** Of age, as the user wrote them; none for a state file in plain text. */
    readonly recipients: readonly string[];
    /** As the last run did when undefined. */
    readonly encryptOutputs?: boolean;
  };
}

/** Algorithm and size of the keys of certificates. */
export type KeyAlgorithm = 'RSA-2048' | 'RSA-3072' | 'RSA-4096' | 'ECDSA-P256' | 'ECDSA-P384';
