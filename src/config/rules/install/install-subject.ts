import type { InstallConfig, InstallConfigInput } from '../../schema/install-config-schema.js';
import type { Draft } from '../../../formats/field-schema.js';
import type { Rule } from '../../schema/rule.js';

/** Input of the install-config.yaml rules. */
export interface InstallSubject {
  /** With defaults; a missing required field is empty. */
  readonly config: InstallConfig;
  /** The user's fields that fit the schema, without defaults. */
  readonly input: Draft<InstallConfigInput>;
  /** Fields whose value sno-config.yaml references. */
  readonly referenced?: ReadonlySet<string>;
}

export type InstallRule = Rule<InstallSubject>;
