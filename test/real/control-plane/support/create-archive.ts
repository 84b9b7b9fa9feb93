import { runProgram } from './run-program.js';

/**
 * Runs `tar --create` with these arguments. The tools are hard links that other test files add and remove concurrently. That
 * changes only their link count, but tar reports it as a change of the file.
 */
export async function createArchive(args: readonly string[]): Promise<void> {
  const { code, stderr } = await runProgram(['tar', '--create', ...args]);
  const complaints = stderr
    .split('\n')
    .filter((line) => !/^(?:tar: .*: file changed as we read it)?$/.test(line));
  // tar(1), RETURN VALUE: 1 if files changed while they were read.
  if ((code !== 0 && code !== 1) || complaints.length > 0)
    throw new Error(`tar ended with ${code ?? 'a signal'}:\n${stderr}`);
}
