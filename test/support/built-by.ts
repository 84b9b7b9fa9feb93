import { spawn } from 'node:child_process';

/** Runs a build program and returns the path that it prints last. Does not block other tests of the process. */
export function builtBy(program: string, args: readonly string[], what: string): Promise<string> {
  const building = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  building.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  building.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    building.on('error', reject);
    building.on('close', (code) => {
      if (code === 0) resolve(stdout.trim());
      else reject(new Error(`building ${what} ended with ${code ?? 'a signal'}:\n${stderr}`));
    });
  });
}
