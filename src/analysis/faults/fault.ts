import type { FlowServiceName, StageName } from '../stages.js';
import type { Sign } from './signs.js';

export interface Fault {
  readonly id: string;
  /** The fault as a lower-case sentence without full stop. */
  readonly title: string;
  /** The stages whose lines are searched. */
  readonly stages: readonly StageName[] | 'any';
  /** The service of these stages, if another service has stages with the same names. */
  readonly service?: FlowServiceName;
  /** One match is enough. */
  readonly signs: readonly Sign[];
  readonly cause: string;
  readonly fix: string;
  /** `note`: useful, but the installation continues. */
  readonly weight?: 'note';
  /** A note that also matters after this phase is complete. */
  readonly isLasting?: true;
  /** A note that is the likely cause if the phase has failed, unless a specific fault is found. */
  readonly mayBeCause?: true;
  /** Unspecific: used only if no other fault matches and the stage has failed. */
  readonly isGeneral?: true;
  /** Of several such faults only the one with the latest line counts: the reasons of earlier attempts are over. */
  readonly isOfLastAttempt?: true;
  /** Also appears in a good installation as long as the stage has not failed. */
  readonly isNormalAtFirst?: true;
}
