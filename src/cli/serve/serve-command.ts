import type { Command } from 'commander';

import type { GlobalOptions, RecipientOptions } from '../options.js';
import { collectValues, directory } from '../shared-options.js';
import type { ServeOptions } from './serve-options.js';

export function addServe(program: Command): void {
  withServeOptions(program.command('serve [sites...]'))
    .description('Stream a per-site live ISO over HTTPS from one base ISO.')
    .option(
      '--fleet <folder>',
      'fleet directory; serves its sites with the `serve` settings of fleet.yaml, like `fleet serve`',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install serve --iso rhcos-live.iso --url https://boot.example.com:8443 out\n' +
        '  sno-install serve --print-urls out\n' +
        '  sno-install serve --fleet fleet\n\n' +
        'SITES are output directories of sites, or directories that contain them (default: --dir).\n' +
        'SIGHUP reloads the certificate. Exit codes: 0 stopped by SIGTERM, 1 cannot serve, 2 usage error. See docs/serve.md.',
    )
    .action(async (sites: readonly string[], _options, command: Command) => {
      const { serve } = await import('./serve.js');
      await serve(sites, command.optsWithGlobals<GlobalOptions & RecipientOptions & ServeOptions>());
    });
}

/** Adds `fleet serve`: `serve` with the settings of fleet.yaml. */
export function addFleetServe(fleet: Command): void {
  withServeOptions(fleet.command('serve').argument(...directory))
    .description('Stream a live ISO to each site of the fleet, with the `serve` settings of fleet.yaml.')
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install fleet serve fleet\n  sno-install fleet serve fleet --print-urls --output json > urls.json\n\n' +
        'Options override fleet.yaml. See docs/fleet-boot.md.',
    )
    .action(async (_dir, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & RecipientOptions & ServeOptions>();
      const { serve } = await import('./serve.js');
      await serve([], { ...options, fleet: options.dir });
    });
}

function withServeOptions(command: Command): Command {
  return command
    .option('--iso <file>', 'downloaded CoreOS live ISO (required, except with --print-urls or --revoke)')
    .option('--payload <file>', 'payload to stream behind the ISO, for the sites that install from it')
    .option(
      '--store <url>',
      'serve from the store of `fleet create --store`, without files: s3://bucket/prefix; needs a fleet',
    )
    .option('--listen <address>', 'address and port to listen on, such as 192.0.2.1:8443 (default: :8443)')
    .option('--url <url>', 'URL of the server as seen by machines (default: host name and port)')
    .option(
      '--tokens <file>',
      'file with the tokens and the CA (default: .sno-install-serve.json in --dir or --fleet)',
    )
    .option('--tls-cert <file>', 'server certificate chain as PEM (default: generated)')
    .option('--tls-key <file>', 'private key of --tls-cert')
    .option('--http', 'serve plain HTTP: anyone on the network path can read the cluster keys')
    .option(
      '--minimal',
      'serve minimal ISOs; the live system downloads its root file system from this server',
    )
    .option('--once', 'expire each token after its first complete download')
    .option('--refuse-outdated', 'refuse media that `fleet status` calls outdated')
    .option('--force', 'accept a live ISO of another release or system')
    .option('--live-karg <arg>', 'kernel argument for the live system, may be repeated', collectValues, [])
    .option('--print-urls', 'print the secret URLs of all sites, the status page and the metrics, and exit')
    .option('--revoke <site>', 'revoke the URLs of a site and exit; may be repeated', collectValues, [])
    .option('--revoke-page', 'revoke the URL of the status page and the token of the metrics, and exit')
    .option(
      '--recipient <recipient>',
      'age recipient (age1…) to encrypt the token file to, may be repeated',
      collectValues,
    )
    .option('--recipients-file <file>', 'file with one recipient per line, may be repeated', collectValues)
    .option('--max-connections <number>', 'connections at the same time', '2000')
    .option('--max-connections-per-client <number>', 'connections of one client address', '64')
    .option('--max-requests-per-second <number>', 'requests per second of one client address', '500')
    .option('--idle-timeout <duration>', 'time after which idle connections are closed', '1m')
    .option('--total-timeout <duration>', 'time limit for one response', '12h')
    .option('--drain-timeout <duration>', 'time to finish open responses after SIGTERM', '1m');
}
