import { styleText } from 'node:util';

import { plainStyle, type Style } from '../../core/render-problem.js';

/** What of a stream says whether colours reach somebody; Node reads NO_COLOR, FORCE_COLOR and TERM for it. */
interface Screen {
  readonly isTTY?: boolean;
  hasColors?(): boolean;
}

/** Colours for a terminal that shows them; plain text for everything else. Source: no-color.org */
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
  // The stream is judged above; without it styleText paints whatever it is given.
  return (text) => styleText(format, text, { validateStream: false });
}
