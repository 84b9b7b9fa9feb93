import { elapsedText } from '../formats/elapsed.js';

/** How far drawing is after some time. */
export function drawingText(drawn: number, total: number, passedMs: number): string {
  const left = elapsedText((passedMs / drawn) * (total - drawn));
  const rate = (drawn / passedMs) * 1000;
  return `drawing keys: ${drawn} of ${total}, ${rate.toFixed(rate < 10 ? 1 : 0)} a second, ${left} left`;
}
