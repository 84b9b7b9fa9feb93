/**
 * Prints an unexpected error with its stack trace. The program may already have written files, so the message states only what
 * holds at any time: each file is either unchanged or complete.
 */
export function reportBug(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(
    `sno-install: this is a bug in sno-install, not in your input; every file is either unchanged or completely written\n${text}\n`,
  );
}
