import type { Place } from '../../../core/problem.js';
import type { FieldPath } from '../../../formats/yaml/yaml-tree.js';
import type { InstallConfig } from '../../schema/install-config-schema.js';
import type { SnoConfig, SnoConfigInput } from '../../schema/sno-config-schema.js';
import type { Draft } from '../../../formats/field-schema.js';
import type { Rule } from '../../schema/rule.js';

/** Input of the sno-config.yaml rules. */
export interface SnoSubject {
  readonly config: SnoConfig;
  /** The user's fields that fit the schema, without defaults. */
  readonly input: Draft<SnoConfigInput>;
  /** Absent if install-config.yaml cannot be read. Its invalid fields must not be used. */
  readonly install:
    | {
        readonly config: InstallConfig;
        readonly isSound: (field: string) => boolean;
        readonly placeOf: (path: FieldPath) => Place;
      }
    | undefined;
}

export type SnoRule = Rule<SnoSubject>;
