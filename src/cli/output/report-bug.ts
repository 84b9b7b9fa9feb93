/**
 * Says that the program itself failed, with what a report of it needs. It may have failed after it wrote: all that can be said of the
 * files is what holds at any moment of a run.
 */
export function reportBug(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(
    `sno-install: this is a bug of sno-install, not of your input; each file is as it was or wholly written\n${text}\n`,
  );
}
