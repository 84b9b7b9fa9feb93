/** Boots the machines of sites through their BMCs. A machine that the record lists as booted is not booted again. */

export { bootInputs, type BootInputs } from './boot-inputs.js';
export { bootRecordIn, bootRecordKeeper, whileLocked } from './boot-record-file.js';
export type { BootRecord } from './boot-record.js';
export type { BootSettings, BootMode } from './boot-settings.js';
export { type BootSite, bootTargets, bootFaults } from './boot-targets.js';
export { checkBoots } from './check-boots.js';
export { mediumFaults } from './media-check.js';
export { planVisits, visitAll, type ReportedSite } from './visit-all.js';
