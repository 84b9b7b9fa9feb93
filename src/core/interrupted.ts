/** Thrown where somebody ended a command by Ctrl-C at a question: what was begun is left as if it had not been. */
export class Interrupted extends Error {}
