import { problem } from '../core/problem.js';
import { quoted } from '../core/quoted.js';
import { failure, success, type Result } from '../core/result.js';

/**
 * The kernel's argument for a console, such as `console=ttyS0,115200n8` for `ttyS0,115200n8`. Only what coreos-installer takes for
 * `--console` is one. Source: coreos-installer src/cmdline/console.rs. Problems: media/kernel-arguments.
 */
export function consoleArgument(spec: string): Result<string> {
  if (/^(?:tty0|hvc0|ttysclp0|tty(?:S|AMA)\d+(?:,\d+(?:[noe][5-8]?)?)?)$/.test(spec))
    return success(`console=${spec}`);
  const hint = 'give a device such as ttyS0,115200n8, ttyAMA0, hvc0 or tty0';
  return failure(problem('media/kernel-arguments', `${quoted(spec)} is no console`, { hint }));
}
