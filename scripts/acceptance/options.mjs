// The options of an acceptance.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export const usage = `usage: npm run acceptance -- SITE --out DIR [options]

Installs SITE (a folder with install-config.yaml) in a virtual machine of this host, checks the cluster and writes a report to DIR.

  --out DIR         folder of the report, the ISO and the bundle; must not exist or be empty
  --resume          continue a run in DIR: steps that passed are kept
  --live-iso FILE   live ISO of the release; without it, "sno-install media download" gets it
  --images DIR      folder of virtual machines (default: /var/lib/libvirt/images)
  --bridge NAME     bridge of the host, instead of a network of libvirt
  --address HOST    node for gather with --bridge
  --ssh-key FILE    private key of sshKey in the config, for gather
  --kubeconfig FILE kubeconfig instead of SITE/auth/kubeconfig
  --reboot          reboot the node once and check again
  --worker          add a worker; needs coreos-installer`;

/** Parses the command line. Rejects with a sentence. */
export function parseOptions(args) {
  const text = { type: 'string' };
  const flag = { type: 'boolean', default: false };
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      out: text,
      resume: flag,
      'live-iso': text,
      images: { ...text, default: '/var/lib/libvirt/images' },
      bridge: text,
      address: text,
      'ssh-key': text,
      kubeconfig: text,
      reboot: flag,
      worker: flag,
      help: flag,
    },
  });
  if (values.help) return { help: true };
  const [site, ...others] = positionals;
  if (site === undefined || others.length > 0) throw new Error('name one folder with install-config.yaml');
  if (values.out === undefined) throw new Error('--out is missing');
  const { bridge, address, resume, reboot, worker } = values;
  const given = { bridge, address, resume, reboot, worker };
  return {
    ...given,
    site: resolve(site),
    out: resolve(values.out),
    images: resolve(values.images),
    liveIso: values['live-iso'] && resolve(values['live-iso']),
    sshKey: values['ssh-key'] && resolve(values['ssh-key']),
    kubeconfig: resolve(values.kubeconfig ?? `${site}/auth/kubeconfig`),
    hasOwnKubeconfig: values.kubeconfig !== undefined,
  };
}
