import type { CodeTable } from './entry.js';

export const manifestCodes = {} as const satisfies CodeTable;
