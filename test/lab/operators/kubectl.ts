import type { Machine } from '../../real/control-plane/support/machine.js';

/** kubectl on the machine, as the administrator. */
export type Kubectl = (argv: readonly string[], input?: string) => ReturnType<Machine['run']>;
