import type { InstallConfig, InstallConfigInput } from '../../schema/install-config-schema.js';
import type { Draft } from '../../../formats/field-schema.js';
import type { Rule } from '../../schema/rule.js';

/** install-config.yaml as rules see it. */
export interface InstallSubject {
  /** With defaults; a required field that is missing is empty. */
  readonly config: InstallConfig;
  /** As it was written, as far as it fits the schema. */
  readonly input: Draft<InstallConfigInput>;
  /** Fields whose value stands elsewhere, where sno-config.yaml says. */
  readonly referenced?: ReadonlySet<string>;
}

/** A rule of install-config.yaml. */
export type InstallRule = Rule<InstallSubject>;
