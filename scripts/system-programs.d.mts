/** The absolute path of a program; undefined if it is not installed. */
export function pathOfProgram(name: string): string | undefined;

/** The command or page for installing a program. */
export function installCommand(name: string): string;
