/** The beginning of every name that a lock has in a folder. */
export const lockName = '.sno-install.lock';
/** What a name ends in that is on its way to become a claim: another run takes it away once nobody stands behind it. */
export const draftSuffix = '.new';
/** Of the file beside a claim that says which command holds the folder. */
export const holderSuffix = '.holder';
