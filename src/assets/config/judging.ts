import { authority } from './authority.js';
import { bootstrapInPlace } from './bootstrap-in-place.js';
import { installConfig } from './install-config.js';
import { givenKeyfiles } from './network-keyfiles.js';
import { releaseMirrors } from './release-mirrors.js';
import { release } from './release.js';
import { snoConfig } from './sno-config.js';
import { stateRecipients } from './state-recipients.js';

/** What judges the configs, in one module: a faulty config is answered without loading more than this. */
export const configs = [installConfig, snoConfig, stateRecipients, release, givenKeyfiles, authority];

/** What judges them for an installation in place. */
export const inPlaceConfigs = [...configs, bootstrapInPlace, releaseMirrors];
