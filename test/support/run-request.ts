import { templatesFrom } from '../../src/disk/program-files/templates.js';
import type { RunOptions } from '../../src/run/run.js';

/** A run for the whole single node, a day after the clock of throwaway states. */
export function runRequest(dir: string): RunOptions {
  return {
    dir,
    target: 'single-node-ignition-config',
    command: 'test',
    variables: {},
    present: new Date('2026-01-03T00:00:00Z'),
    templates: templatesFrom('templates'),
  };
}
