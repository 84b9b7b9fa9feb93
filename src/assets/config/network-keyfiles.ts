import { problem, type Problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import { resultOf } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { fileNameOf, keyfileFaults } from '../../config/network/keyfile-faults.js';
import type { Keyfile } from '../../config/network/keyfile.js';
import { snoReading } from './sno-config.js';

/**
 * The files of `network.keyfiles`, unchanged, sorted by name. Checked even if the rest of the config has errors.
 * Problems: config/keyfile.
 */
export const networkKeyfiles = defineAsset({
  name: 'config/given-keyfiles',
  needs: { reading: snoReading },
  tryMake: ({ reading }, { inputs }) => {
    const paths = reading.isSound('network.keyfiles') ? (reading.config.network?.keyfiles ?? []) : [];
    const problems: Problem[] = [];
    const keyfiles = paths.flatMap((path, index): readonly Keyfile[] => {
      const at = reading.placeOf(['network', 'keyfiles', index]);
      const refused = (fault: string): readonly Keyfile[] => {
        problems.push(problem('config/keyfile', `the keyfile ${quoted(path)} ${fault}`, { at }));
        return [];
      };
      const read = inputs.read(path);
      if (read.kind === 'absent') return refused('is not there');
      if (read.kind === 'unreadable') return refused(`cannot be read: ${read.reason}`);
      const text = Buffer.from(read.bytes).toString('utf8');
      if (!Buffer.from(text, 'utf8').equals(read.bytes)) return refused('is not UTF-8 text');
      problems.push(
        ...keyfileFaults(text).map(({ line, message }) =>
          problem('config/keyfile', message, { at: { file: path, line, col: 1 } }),
        ),
      );
      return [{ name: fileNameOf(path), text }];
    });
    return resultOf(keyfiles, problems);
  },
});
