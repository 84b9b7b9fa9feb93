/** A room of src/: `path` is the beginning of its files' paths below src/, as a pattern. */
interface Room {
  readonly room: string;
  readonly path: string;
  readonly holds: string;
}

/** From the ground up. */
export const floors: readonly (readonly Room[])[];
