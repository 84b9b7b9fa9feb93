/** Thrown when the user presses Ctrl-C at a prompt. Callers undo the work they started. */
export class Interrupted extends Error {}
