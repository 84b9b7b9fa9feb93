import { countingLine } from '../../command-line/progress.js';
import type { GlobalOptions } from '../../command-line/options.js';
import { drawingText } from '../../telling/drawing-text.js';

/** One line that counts keys while they are drawn, with their rate and the time that is left, on a terminal only. */
export function keyProgress(
  options: GlobalOptions,
  total: number,
): { readonly onKeys: (keys: number) => void; readonly done: () => void } {
  const { show, done } = countingLine(options, process.stderr);
  const begin = performance.now();
  let drawn = 0;
  return {
    onKeys: (keys) => {
      drawn += keys;
      show(drawingText(drawn, total, performance.now() - begin));
    },
    done,
  };
}
