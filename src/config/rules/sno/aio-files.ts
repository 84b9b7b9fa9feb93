import { aioDistributions } from '../../aio-distributions.js';
import { quoted } from '../../../core/quoted.js';
import type { FetchedFile } from '../../schema/aio-model.js';
import { goUrlFault } from '../../../formats/go-url.js';
import type { Finding } from '../../schema/rule.js';
import type { SnoRule, SnoSubject } from './sno-subject.js';

/** Rules on files that the machine downloads at first boot. */
export const aioFileRules: readonly SnoRule[] = [
  {
    number: 94,
    fields: [
      'aio.files[].path',
      'aio.files[].url',
      'aio.files[].sha256',
      'aio.files[].sha512',
      'aio.files[].mode',
      'aio.files[].unpackInto',
      'aio.files[].stripComponents',
    ],
    text: 'A file to download has a unique absolute path below a writable folder, an https URL without a password, one hash of 64 or 128 hex digits, and octal permissions.',
    origin: 'sno-install',
    check: files,
  },
  {
    number: 95,
    fields: ['aio.files[].url'],
    text: 'The architecture in the URL of a program is controlPlane.architecture.',
    origin: 'sno-install',
    check: architectures,
  },
  {
    number: 96,
    fields: ['aio.files[].url'],
    text: 'The kubelet is not newer than Kubernetes and at most three minor versions older, kubectl at most one away.',
    origin: 'sno-install',
    check: versions,
  },
];

function files({ config, input }: SnoSubject): readonly Finding[] {
  const given = input.aio?.files ?? [];
  return config.aio.files.flatMap((file, index) => {
    const earlier = config.aio.files.slice(0, index);
    const faults = [
      ...pathFaults(file, earlier),
      ...urlFaults(file),
      ...hashFaults(given[index] ?? {}),
      ...modeFaults(given[index]?.mode),
      ...unpackFaults(file, given[index]?.stripComponents),
    ];
    return faults.map(({ field, message, hint }) => ({
      code: 'config/fetched-file' as const,
      path: ['aio', 'files', index, ...(field === undefined ? [] : [field])],
      message,
      hint,
    }));
  });
}

interface Fault {
  /** Absent if the finding is about the whole entry. */
  readonly field?: string;
  readonly message: string;
  readonly hint?: string;
}

/** Writable folders of CoreOS; /usr is read-only except /usr/local. Source: coreos/fedora-coreos-docs, storage */
const writable = /^\/(usr\/local|opt|etc|var|root|home|srv|mnt)\//;

function pathFaults({ path }: FetchedFile, earlier: readonly FetchedFile[]): readonly Fault[] {
  if (path === '') return [];
  const fault = folderFault(path);
  if (fault !== undefined) return [{ field: 'path', message: `the path ${quoted(path)} ${fault}` }];
  return earlier.some((each) => each.path === path)
    ? [{ field: 'path', message: `two files have the path ${path}` }]
    : [];
}

function folderFault(path: string): string | undefined {
  if (!/^(\/[A-Za-z0-9._+-]+)+$/.test(path) || /\/\.{1,2}(\/|$)/.test(path))
    return 'is not a plain absolute path';
  return writable.test(`${path}/`) ? undefined : 'is in a folder that is read-only on CoreOS';
}

function urlFaults({ url }: FetchedFile): readonly Fault[] {
  if (url === '') return [];
  const field = 'url';
  if (!/^https:\/\/[^\s/@?#]+\/\S*$/.test(url))
    return [
      {
        field,
        message: `${quoted(url)} is not an https URL of a file, without user and password`,
        hint: 'write "https://dl.k8s.io/…"',
      },
    ];
  const fault = goUrlFault(url);
  return fault === undefined
    ? []
    : [{ field, message: `${quoted(url)} ${fault}`, hint: 'write "%" as "%25"' }];
}

function hashFaults({
  sha256,
  sha512,
}: {
  readonly sha256?: string;
  readonly sha512?: string;
}): readonly Fault[] {
  if ((sha256 === undefined) === (sha512 === undefined))
    return [
      {
        message: `a file to fetch has ${sha256 === undefined ? 'no hash' : 'two hashes'}, expected one of sha256 and sha512`,
        hint: 'add "sha256: …", as `sha256sum FILE` prints it',
      },
    ];
  const [field, hex, digits] =
    sha256 === undefined ? (['sha512', sha512 ?? '', 128] as const) : (['sha256', sha256, 64] as const);
  if (new RegExp(`^[0-9a-f]{${digits}}$`).test(hex)) return [];
  return [{ field, message: `${field} ${quoted(hex)} is not ${digits} hex digits in lower case` }];
}

function modeFaults(mode: string | undefined): readonly Fault[] {
  if (mode === undefined || /^0?[0-7]{3}$/.test(mode)) return [];
  const hint = 'write "mode: 0755"';
  return [{ field: 'mode', message: `mode ${quoted(mode)} is not three octal digits`, hint }];
}

function unpackFaults({ unpackInto }: FetchedFile, stripComponents: number | undefined): readonly Fault[] {
  if (unpackInto === undefined)
    return stripComponents === undefined
      ? []
      : [{ field: 'stripComponents', message: 'stripComponents needs unpackInto' }];
  const fault = folderFault(unpackInto);
  return fault === undefined
    ? []
    : [{ field: 'unpackInto', message: `the folder ${quoted(unpackInto)} ${fault}` }];
}

/** Architecture names in download URLs. */
const architectureNames = {
  amd64: ['amd64', 'x86_64'],
  arm64: ['arm64', 'aarch64'],
  ppc64le: ['ppc64le'],
  s390x: ['s390x'],
} as const;

function architectures({ config, install }: SnoSubject): readonly Finding[] {
  if (install?.isSound('controlPlane.architecture') !== true) return [];
  const wanted = install.config.controlPlane.architecture;
  const own: readonly string[] = architectureNames[wanted];
  return config.aio.files.flatMap(({ url }, index) => {
    const named = /(?:^|[-_/.])(amd64|x86_64|arm64|aarch64|ppc64le|s390x)(?:[-_/.]|$)/.exec(url)?.[1];
    if (named === undefined || own.includes(named)) return [];
    const message = `the file is for ${named}, while controlPlane.architecture is ${wanted}`;
    return [
      { code: 'config/fetched-file-architecture' as const, path: ['aio', 'files', index, 'url'], message },
    ];
  });
}

/** Source: kubernetes.io/releases/version-skew-policy */
const skews: Readonly<Record<string, { readonly older: number; readonly newer: number }>> = {
  kubelet: { older: 3, newer: 0 },
  kubectl: { older: 1, newer: 1 },
};

/** Not checked if the version is the release's, which is unknown here. */
function versions({ config }: SnoSubject): readonly Finding[] {
  const { distribution, kubernetesVersion } = config.controlPlane;
  const version = kubernetesVersion ?? aioDistributions[distribution].kubernetesVersion;
  const minor = Number(version?.split('.')[1]);
  if (!Number.isInteger(minor)) return [];
  return config.aio.files.flatMap(({ path, url }, index) => {
    const skew = skews[path.slice(path.lastIndexOf('/') + 1)];
    const found = Number(/\/v1\.(\d+)\.\d+\//.exec(url)?.[1]);
    if (!skew || !Number.isInteger(found) || (found <= minor + skew.newer && found >= minor - skew.older))
      return [];
    const message = `${path} has Kubernetes 1.${found}, which is not compatible with a control plane of 1.${minor}`;
    return [{ code: 'config/fetched-file-version' as const, path: ['aio', 'files', index, 'url'], message }];
  });
}
