import { programVersion } from '../../core/program-version.js';
import type { GlobalOptions } from '../options.js';
import type { CheckedDirectory } from './formats/junit.js';

/** Formats problems for a CI system; undefined for other formats. Paths are relative to the working directory. */
export async function problemReport(
  { output }: Pick<GlobalOptions, 'output'>,
  checked: readonly CheckedDirectory[],
): Promise<string | undefined> {
  const problems = checked.flatMap((each) => each.problems);
  if (output === 'github') return (await import('./formats/github.js')).githubAnnotations(problems);
  if (output === 'sarif') return (await import('./formats/sarif.js')).sarifLog(problems, programVersion);
  return output === 'junit' ? (await import('./formats/junit.js')).junitReport(checked) : undefined;
}
