import type { CodeTable } from './entry.js';

export const configCodes = {} as const satisfies CodeTable;
