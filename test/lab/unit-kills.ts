import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { killAt } from './lab.js';

/** Kills a unit once at each place. systemd restarts the units immediately and without a limit. */
export function killUnitsAt(root: string, places: readonly string[], units: readonly string[]): void {
  killAt(root, places);
  for (const unit of units) {
    const folder = join(root, `etc/systemd/system/${unit}.service.d`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'lab.conf'),
      '[Unit]\nStartLimitIntervalSec=0\n' +
        '[Service]\nRestartSec=100ms\nEnvironment=BASH_ENV=/usr/libexec/sno-lab/count-commands\n',
    );
  }
}
