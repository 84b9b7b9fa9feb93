/** The absolute path of a program, or undefined if this machine does not have it. */
export function pathOfProgram(name: string): string | undefined;

/** How to install a program. */
export function installCommand(name: string): string;
