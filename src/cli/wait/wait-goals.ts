import { bootstrapComplete } from '../../remote/kubernetes/goals/bootstrap-complete.js';
import { installComplete } from '../../remote/kubernetes/goals/install-complete.js';
import { nodeReady } from '../../remote/kubernetes/goals/node-ready.js';
import { postInstallComplete } from '../../remote/kubernetes/goals/post-install-complete.js';
import type { Goal } from '../../remote/kubernetes/wait.js';
import { problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import { failure, success, type Result } from '../../core/result.js';
import type { Inputs } from '../../graph/context.js';
import { filesInPostInstall } from '../../manifests/edits/find-files.js';
import { parseDuration } from '../../formats/duration.js';
import type { WaitCondition } from '../options.js';

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

/** Parses `--timeout` into milliseconds. Problems: usage/unknown-argument. */
export function waitTimeout(timeout: string): Result<number> {
  const seconds = parseDuration(timeout);
  if (seconds !== undefined) return success(seconds * 1000);
  const message = `--timeout is ${quoted(timeout)}, expected a duration`;
  return failure(
    problem('usage/unknown-argument', message, { hint: 'use larger units first, such as 90m or 1h30m' }),
  );
}
