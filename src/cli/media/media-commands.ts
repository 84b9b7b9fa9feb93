import { InvalidArgumentError, Option, type Command } from 'commander';

import {
  bootImageFormats,
  streamArchitectures,
  type StreamArchitecture,
} from '../../media/stream-metadata.js';
import { defaultMinorRelease } from '../../release/releases.js';
import type { GlobalOptions } from '../options.js';
import { directory } from '../shared-options.js';
import type { DownloadOptions } from './download-options.js';

/** Adds `media` and its subcommand. */
export function addMedia(program: Command): void {
  const media = program.command('media').description('Download the CoreOS live image of a release.');
  addDownload(media);
}

function addDownload(media: Command): void {
  media
    .command('download')
    .argument(...directory)
    .description('Download the live ISO of a release, continue an earlier download, and verify its SHA-256.')
    .option(
      '--release <version>',
      `release, such as ${defaultMinorRelease} or ${defaultMinorRelease}.3 (default: that of the configuration, or the default release)`,
    )
    .addOption(
      new Option('--arch <architecture>', 'architecture (default: that of install-config.yaml, or x86_64)')
        .choices(streamArchitectures)
        .argParser(architectureOf),
    )
    .addOption(
      new Option('--format <format>', 'live ISO, or kernel, initramfs and root file system')
        .choices(bootImageFormats)
        .default('iso'),
    )
    .option(
      '--stream <file>',
      'output of `openshift-install coreos print-stream-json`, or the ConfigMap coreos-bootimages; - for stdin (default: read from the release image)',
    )
    .option('--os-stream <name>', 'OS stream, such as rhel-10 (default: that of the release)')
    .option('--out <path>', 'output file or folder (default: the cache folder)')
    .option('--print', 'print URL, size and SHA-256 only')
    .addHelpText(
      'after',
      `\nExamples:\n  sno-install media download --release ${defaultMinorRelease}\n` +
        '  sno-install media download --dir site1 --out rhcos-live.iso\n' +
        '  openshift-install coreos print-stream-json | sno-install media download --stream -\n\n' +
        'The cache folder is $XDG_CACHE_HOME/sno-install/media, by default ~/.cache/sno-install/media.\n' +
        'Proxy, pull secret, mirrors and trusted CAs come from install-config.yaml in --dir, if there is one;\n' +
        'HTTPS_PROXY and NO_PROXY of the environment override its proxy.\n' +
        'Exit codes: 0 downloaded and verified, 1 no such image, 2 usage error, 3 not downloaded.',
    )
    .action(async (_dir, _options, command: Command) => {
      const { downloadMedia } = await import('./download-media.js');
      await downloadMedia(command.optsWithGlobals<GlobalOptions & DownloadOptions>());
    });
}

/** Names of install-config.yaml are accepted too. */
function architectureOf(value: string): StreamArchitecture {
  const name = { amd64: 'x86_64', arm64: 'aarch64' }[value] ?? value;
  const found = streamArchitectures.find((each) => each === name);
  if (found === undefined)
    throw new InvalidArgumentError(`Allowed choices are ${streamArchitectures.join(', ')}.`);
  return found;
}
