import type { CodeTable } from './entry.js';

export const tlsCodes = {} as const satisfies CodeTable;
