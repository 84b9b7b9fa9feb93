/** Prefix of every lock file in a folder. */
export const lockName = '.sno-install.lock';
/** Suffix of a draft that will be renamed to a claim. Other runs remove it once its process has ended. */
export const draftSuffix = '.new';
/** Suffix of the file next to a claim that names the command holding the lock. */
export const holderSuffix = '.holder';
