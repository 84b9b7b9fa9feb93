import { valueAt } from '../../../src/ignition/foreign/config-entries.js';

/** A config with every field of every spec. */
export function everyField(version: string) {
  const fetched = {
    source: 'https://example.com/a',
    compression: 'gzip',
    httpHeaders: [{ name: 'Accept', value: 'text/plain' }],
    verification: { hash: `sha512-${'0a'.repeat(64)}` },
  };
  const node = { overwrite: true, user: { id: 1 }, group: { name: 'wheel' } };
  return {
    ignition: {
      version,
      config: { merge: [fetched], replace: fetched },
      timeouts: { httpResponseHeaders: 1, httpTotal: 2 },
      security: { tls: { certificateAuthorities: [fetched] } },
      proxy: { httpProxy: 'http://a', httpsProxy: 'https://a', noProxy: ['b', 'c'] },
    },
    storage: {
      disks: [
        {
          device: '/dev/a',
          wipeTable: true,
          partitions: [
            {
              number: 1,
              label: 'a',
              sizeMiB: 1,
              startMiB: 1,
              typeGuid: '0FC63DAF-8483-4772-8E79-3D69D8477DE4',
              guid: '',
              wipePartitionEntry: true,
              shouldExist: true,
              resize: false,
            },
          ],
        },
      ],
      raid: [
        { name: 'a', level: 'raid1', devices: ['/dev/b', '/dev/c'], spares: 0, options: ['--a', '--a'] },
      ],
      luks: [
        {
          name: 'a',
          device: '/dev/d',
          label: 'a',
          uuid: 'a',
          keyFile: fetched,
          options: ['--b'],
          wipeVolume: true,
          clevis: {
            tpm2: true,
            tang: [{ url: 'http://a', thumbprint: 'a', advertisement: '{}' }],
            threshold: 1,
          },
          discard: true,
          openOptions: ['--c'],
          cex: { enabled: false },
        },
        {
          name: 'b',
          device: '/dev/e',
          clevis: { custom: { pin: 'tang', config: '{}', needsNetwork: true } },
        },
      ],
      filesystems: [
        {
          device: '/dev/f',
          path: '/var',
          format: 'xfs',
          label: 'a',
          uuid: 'a',
          options: ['-a'],
          mountOptions: ['b'],
          wipeFilesystem: true,
        },
      ],
      files: [
        { ...node, path: '/etc/a', mode: 0o644, contents: fetched, append: [fetched] },
        { path: '/etc/b', contents: { source: 'data:,b' } },
      ],
      directories: [{ ...node, path: '/etc/d', mode: 0o755 }],
      links: [{ ...node, path: '/etc/l', target: '/etc/a', hard: true }],
    },
    systemd: {
      units: [
        {
          name: 'a.service',
          enabled: true,
          mask: false,
          contents: '[Install]\nWantedBy=a.target\n',
          dropins: [{ name: 'a.conf', contents: '[Unit]\n' }],
        },
      ],
    },
    passwd: {
      users: [
        {
          name: 'core',
          passwordHash: 'x',
          sshAuthorizedKeys: ['a', 'b'],
          uid: 1,
          gecos: 'a',
          homeDir: '/a',
          noCreateHome: true,
          primaryGroup: 'a',
          groups: ['a', 'b'],
          noUserGroup: true,
          system: true,
          noLogInit: true,
          shell: '/bin/a',
          shouldExist: true,
        },
      ],
      groups: [{ name: 'a', gid: 1, passwordHash: 'x', system: true, shouldExist: true }],
    },
    kernelArguments: { shouldExist: ['a'], shouldNotExist: ['b'] },
  };
}

type Path = readonly (string | number)[];

/** A config with one change. */
export interface Mutant {
  readonly name: string;
  readonly config: unknown;
}

const others = [null, true, 1.5, -1, 8888, '', 'x', '0644', [], ['x', 'x'], {}, { odd: 1 }, [null], [{}]];

/** All configs with one change: an entry removed, duplicated, of another type or value, or an unknown field added. */
export function mutantsOf(config: unknown): readonly Mutant[] {
  const paths = pathsIn(config, []).filter(
    (path) => path.join('.') !== 'ignition.version' && path[0] !== undefined,
  );
  return paths.flatMap((path) => {
    const at = path.join('.');
    const value = valueAt(config, path);
    return [
      { name: `${at} left out`, config: changed(config, path, () => undefined) },
      ...others
        .filter((other) => at !== 'ignition' || other === null)
        .map((other) => ({
          name: `${at} is ${JSON.stringify(other)}`,
          config: changed(config, path, () => other),
        })),
      ...(Array.isArray(value)
        ? [
            {
              name: `${at} twice`,
              config: changed(config, path, () => [...(value as unknown[]), ...(value as unknown[])]),
            },
          ]
        : []),
      ...(typeof value === 'object' && !Array.isArray(value)
        ? [
            {
              name: `${at} with another`,
              config: changed(config, path, () => ({ ...value, oddField: { a: [1] } })),
            },
          ]
        : []),
    ];
  });
}

function pathsIn(value: unknown, path: Path): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const steps = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return [path, ...steps.flatMap((step) => pathsIn(valueAt(value, [step]), [...path, step]))];
}

/** A copy with another value at a path; undefined removes the entry. */
function changed(value: unknown, [step, ...rest]: Path, change: () => unknown): unknown {
  if (step === undefined) return change();
  const inner = changed(valueAt(value, [step]), rest, change);
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => (index === step ? (inner ?? []) : [item]));
  const entries = Object.entries(value ?? {}).map(([name, each]: [string, unknown]) => [
    name,
    name === step ? inner : each,
  ]);
  return Object.fromEntries(entries.filter(([, each]) => each !== undefined));
}
