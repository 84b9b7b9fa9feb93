import type { FlowServiceName, StageName } from '../stages.js';
import type { Sign } from './signs.js';

/** What can go wrong during an installation. */
export interface Fault {
  readonly id: string;
  /** What is wrong, as a sentence that begins in lower case and has no full stop. */
  readonly title: string;
  /** The stages in whose lines it is looked for; `any` of them. */
  readonly stages: readonly StageName[] | 'any';
  /** The service whose stages they are, where another has stages of the same names. */
  readonly service?: FlowServiceName;
  /** Any of them will do. */
  readonly signs: readonly Sign[];
  /** What is likely behind it. */
  readonly cause: string;
  /** What to do about it. */
  readonly fix: string;
  /** `note`: worth knowing, but the installation goes on. */
  readonly weight?: 'note';
  /** A note that still matters when the phase is complete, and in the phase after it. */
  readonly isLasting?: true;
  /** It says little, so it counts only where nothing else was recognised, and only once the stage has failed. */
  readonly isGeneral?: true;
  /** Its signs show in a sound installation too, as long as the stage has not failed. */
  readonly isNormalAtFirst?: true;
}
