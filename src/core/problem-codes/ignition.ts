import type { CodeTable } from './entry.js';

export const ignitionCodes = {} as const satisfies CodeTable;
