/** Says that the program itself failed, with what a report of it needs. */
export function reportBug(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(
    `sno-install: this is a bug of sno-install, not of your input; nothing was written\n${text}\n`,
  );
}
