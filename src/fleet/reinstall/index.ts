/** Installs running sites again, after checks and a confirmation. */

export { checkReinstall, reinstallTable } from './check-sites.js';
export { checkConfirmation, notConfirmed, type ConfirmedSites } from './confirmation.js';
export { renewKeys } from './renew-keys.js';
export {
  openReinstallation,
  runReinstallation,
  sitesToReinstall,
  type ReinstallSettings,
} from './run-reinstall.js';
