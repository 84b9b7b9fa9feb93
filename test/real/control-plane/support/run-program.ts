import { spawn } from 'node:child_process';

export interface ProgramResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end without blocking the tests. */
export async function runProgram(argv: readonly string[], input = ''): Promise<ProgramResult> {
  const [program, ...args] = argv;
  if (program === undefined) throw new Error('no program to run');
  const running = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  running.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  running.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  // A program may exit without reading its input.
  running.stdin.on('error', () => undefined);
  running.stdin.end(input);
  return new Promise((resolve, reject) => {
    running.on('error', reject);
    running.on('close', (code) => {
      resolve({ code, stdout, stderr });
    });
  });
}

/** The output of a program. Throws its error output if it fails. */
export async function outputOf(argv: readonly string[], input = ''): Promise<string> {
  const { code, stdout, stderr } = await runProgram(argv, input);
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code ?? 'a signal'}:\n${stdout}${stderr}`);
  return stdout;
}
