import { ownTemplates } from '../../disk/program-files/templates.js';
import { knownTemplates, type KnownTemplates } from '../../review/output-tree.js';

/** The constant files of this version by their bytes. */
export function ourTemplates(): KnownTemplates {
  return knownTemplates(ownTemplates());
}
