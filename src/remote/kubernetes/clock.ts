export type { Clock } from '../../core/clock.js';
