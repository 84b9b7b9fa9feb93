import { bootstrapComplete } from './bootstrap-complete.js';
import { installComplete } from './install-complete.js';
import { nodeReady } from './node-ready.js';
import { postInstallComplete } from './post-install-complete.js';
import type { Goal } from '../wait.js';
import type { Inputs } from '../../../graph/context.js';
import { filesInPostInstall } from '../../../manifests/edits/find-files.js';

/** The conditions of `wait-for`. */
export type WaitCondition =
  'bootstrap-complete' | 'install-complete' | 'post-install-complete' | 'node-ready';

/** The goal of a condition for the site with these inputs. */
export function waitGoal(condition: WaitCondition, inputs: () => Inputs): Goal {
  switch (condition) {
    case 'bootstrap-complete':
      return bootstrapComplete;
    case 'install-complete':
      return installComplete;
    case 'post-install-complete':
      return postInstallComplete({ hasManifests: filesInPostInstall(inputs()).files.length > 0 });
    case 'node-ready':
      return nodeReady;
  }
}
