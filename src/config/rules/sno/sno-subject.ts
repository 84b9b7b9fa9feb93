import type { InstallConfig } from '../../schema/install-config-schema.js';
import type { SnoConfig, SnoConfigInput } from '../../schema/sno-config-schema.js';
import type { Draft } from '../../../formats/field-schema.js';
import type { Rule } from '../../schema/rule.js';

/** sno-config.yaml as rules see it. */
export interface SnoSubject {
  readonly config: SnoConfig;
  /** As it was written, as far as it fits the schema. */
  readonly input: Draft<SnoConfigInput>;
  /** Absent when install-config.yaml cannot be read; fields of it that are not sound say nothing. */
  readonly install:
    { readonly config: InstallConfig; readonly isSound: (field: string) => boolean } | undefined;
}

/** A rule of sno-config.yaml, which may look at install-config.yaml too. */
export type SnoRule = Rule<SnoSubject>;
