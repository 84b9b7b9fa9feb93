import { styleText } from 'node:util';

import { plainStyle, type Style } from '../../core/render-problem.js';

/** Color support of a stream. Node.js evaluates NO_COLOR, FORCE_COLOR and TERM. */
interface Screen {
  readonly isTTY?: boolean;
  hasColors?(): boolean;
}

/** Returns colors for terminals that support them, otherwise plain text. Source: no-color.org */
export function styleFor(screen: Screen): Style {
  if (screen.isTTY !== true || screen.hasColors?.() !== true) return plainStyle;
  return {
    error: paint(['bold', 'red']),
    warning: paint(['bold', 'yellow']),
    place: paint(['cyan']),
    caret: paint(['bold', 'red']),
    hint: paint(['green']),
  };
}

type Format = Parameters<typeof styleText>[0];

function paint(format: Format): (text: string) => string {
  // `styleFor` has already checked the stream. Without this option, styleText would check stdout.
  return (text) => styleText(format, text, { validateStream: false });
}
