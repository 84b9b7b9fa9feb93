import type { Command } from 'commander';

import type { GlobalOptions, RecipientOptions } from '../options.js';
import { collectValues } from '../shared-options.js';
import type { ServeOptions } from './serve-options.js';

export function addServe(program: Command): void {
  program
    .command('serve [sites...]')
    .description('Give each site its live ISO over HTTPS, made of one ISO while it is read; store none.')
    .option('--fleet <folder>', 'folder of a fleet: its sites are served, as `serve` of its fleet.yaml says')
    .option('--iso <file>', 'the live ISO as it was downloaded (required, but for --print-urls)')
    .option('--listen <address>', 'address and port, such as 192.0.2.1:8443 (default: :8443)')
    .option('--url <url>', 'what machines reach it by (default: the name of this host, and the port)')
    .option(
      '--tokens <file>',
      'file of tokens and of the authority (default: .sno-install-serve.json in --dir, or in that of --fleet)',
    )
    .option('--tls-cert <file>', 'certificate of the server, with those above it (default: one that is made)')
    .option('--tls-key <file>', 'its private key')
    .option('--http', 'serve plain HTTP: everybody on the way can read the keys of the clusters')
    .option('--minimal', 'serve the minimal ISO, whose live system fetches its root from here')
    .option('--once', 'a token ends with the first complete download')
    .option(
      '--live-karg <arg>',
      'argument for the kernel of the live system, may be repeated',
      collectValues,
      [],
    )
    .option('--print-urls', 'print the URLs of all sites, which are secrets, and end')
    .option('--revoke <site>', 'take back the URLs of a site, and end; may be repeated', collectValues, [])
    .option('--revoke-page', 'take back the URL of the page for people, and end')
    .option(
      '--recipient <recipient>',
      'encrypt the file of tokens to it, may be repeated (age1…)',
      collectValues,
    )
    .option('--recipients-file <file>', 'the same for each line of a file, may be repeated', collectValues)
    .option('--max-connections <number>', 'connections at once', '2000')
    .option('--max-connections-per-client <number>', 'the same of one address', '64')
    .option('--max-requests-per-second <number>', 'requests a second of one address', '500')
    .option('--idle-timeout <duration>', 'how long nothing may move on a connection', '1m')
    .option('--total-timeout <duration>', 'how long one answer may take', '12h')
    .option('--drain-timeout <duration>', 'how long answers under way may take once it is told to end', '1m')
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install serve --iso rhcos-live.iso --url https://boot.example.com:8443 out\n' +
        '  sno-install serve --print-urls out\n' +
        '  sno-install serve --fleet fleet\n\n' +
        'SITES are folders with the outputs of a site, or of folders of such; --dir when left out.\n' +
        'SIGHUP reads the certificate again. Exit codes: 0 ended by SIGTERM, 1 it cannot serve, 2 usage. docs/serve.md has more.',
    )
    .action(async (sites: readonly string[], _options, command: Command) => {
      const { serve } = await import('./serve.js');
      await serve(sites, command.optsWithGlobals<GlobalOptions & RecipientOptions & ServeOptions>());
    });
}
