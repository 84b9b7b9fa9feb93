import type { Command } from 'commander';

import type { GlobalOptions } from '../options.js';
import type { WritePayloadOptions } from './write-payload.js';

/** Adds `payload` and its subcommand. */
export function addPayload(program: Command): void {
  const payload = program
    .command('payload')
    .description('Write a payload, a file with all images of a release, to a USB stick or another disk.');
  payload
    .command('write')
    .argument('<file>', 'payload, from `sno-install create payload`')
    .argument('<device>', 'disk such as /dev/sdb, partition named sno-payload, or file for a disk image')
    .description('Write a payload to a disk, which is erased, and verify it by reading it back.')
    .option(
      '--force',
      'unmount file systems of the disk, accept a disk that is not removable, replace an existing disk image',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  sudo sno-install payload write 4.22.0.payload /dev/sdb\n' +
        '  sno-install payload write 4.22.0.payload payload.img\n\n' +
        'A disk gets a partition table (GPT) with one partition, sno-payload, that begins with the payload. The node finds\n' +
        'it by this name. A disk image is raw, for virtual machines. A disk that this machine runs from is never written.',
    )
    .action(async (file: string, device: string, _options, command: Command) => {
      const { writePayloadTo } = await import('./write-payload.js');
      await writePayloadTo(file, device, command.optsWithGlobals<GlobalOptions & WritePayloadOptions>());
    });
}
