// Runs programs. An error names the program and the last line of its output.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

const cli = resolve(import.meta.dirname, '../../dist/cli.js');

/** The output of a program. Rejects if it fails, is missing or is stopped by the signal. */
export async function outputOf(program, args, signal) {
  const { status, stdout, stderr } = await runProgram(program, args, signal);
  if (status === 0) return stdout;
  const last = stderr.trim().split('\n').at(-1) ?? '';
  throw new Error(`${[program, ...args].join(' ')} failed with ${status ?? 'a signal'}: ${last}`);
}

/** The JSON output of sno-install, and the problems of a failed command as findings. */
export async function sno(args, signal) {
  const { stdout, stderr } = await runProgram(process.execPath, [cli, ...args, '-o', 'json'], signal);
  const result = parsed(stdout);
  if (result === undefined) {
    const last = stderr.trim().split('\n').at(-1) ?? '';
    throw new Error(`sno-install ${args.join(' ')} printed no JSON: ${last}`);
  }
  const findings = (result.problems ?? [])
    .filter(({ severity }) => severity === 'error')
    .map(({ code, message }) => `${code}: ${message}`);
  if (result.ok === false && findings.length === 0) findings.push(`sno-install ${args.join(' ')} failed`);
  return { result, findings };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function runProgram(program, args, signal) {
  return new Promise((done, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], signal });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'])
      child[name].setEncoding('utf8').on('data', (text) => (output[name] += text));
    child.on('error', (error) =>
      reject(error.code === 'ENOENT' ? new Error(`${program} is not installed`) : error),
    );
    child.on('close', (status) => done({ status, ...output }));
  });
}
