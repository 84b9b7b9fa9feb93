/** Options of commands that contact BMCs. */
export const mediaUrl = [
  '--media-url <url>',
  'image URL, with {site} as placeholder for the site name',
] as const;

export const media = [
  '--media <file>',
  'file with the image URLs, as printed by `serve --print-urls --output json`, or - for stdin',
] as const;

export const credentialsCommand = [
  '--credentials-command <command>',
  'command that prints the contents of the credentials file',
] as const;

export const allowCommands = [
  '--allow-commands',
  'run the commands of `secrets` although another user can change fleet.yaml',
] as const;

export const allowOutdated = [
  '--allow-outdated',
  'boot from media that `fleet status` calls outdated, but not from expired ones',
] as const;

export const bmcJobs = ['--jobs <number>', 'number of BMCs to contact in parallel', '16'] as const;

export const defaultMediaTimeout = '60s';

export const mediaTimeout = [
  '--media-timeout <duration>',
  'time for a BMC to show an inserted or ejected medium',
  defaultMediaTimeout,
] as const;

/** Options of commands that contact the APIs of clusters. */
export const tokens = [
  '--tokens <file>',
  'token file of `serve`; node reports are stored next to it (default: from fleet.yaml)',
] as const;

export const trustKubeconfig = [
  '--trust-kubeconfig',
  'allow programs, files, a proxy and insecure-skip-tls-verify in kubeconfigs',
] as const;
