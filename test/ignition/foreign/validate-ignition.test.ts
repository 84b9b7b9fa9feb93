import { readFileSync } from 'node:fs';

import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';

import { specModules } from '../../../scripts/generate/spec-modules.mjs';
import { schemaModule } from '../../../src/formats/json-schema.js';
import { pathText } from '../../../src/formats/yaml/yaml-tree.js';
import { validateIgnition } from '../../../src/ignition/foreign/validate-ignition.js';
import { specSchema } from '../../../src/ignition/foreign/spec-schema.js';
import { specFields } from '../../../src/ignition/foreign/spec-fields.generated.js';
import { releases } from '../../../src/release/releases.js';
import { writtenSchema } from '../../../src/ignition/written-schema.js';
import { everyField, mutantsOf } from './foreign-configs.js';

/** The faults of a config of spec 3.2.0, one per line. */
function found(config: object, minor = 2): readonly string[] {
  const faults = validateIgnition({ ignition: { version: `3.${minor}.0` }, ...config }, minor);
  return faults.map(({ kind, path, message }) => `${kind} ${pathText(path)}: ${message}`);
}

function ofFile(file: object, minor?: number): readonly string[] {
  return found({ storage: { files: [{ path: '/a', ...file }] } }, minor);
}

function ofUnit(unit: object): readonly string[] {
  return found({ systemd: { units: [{ name: 'a.service', ...unit }] } });
}

const modules = await specModules({ specSchema, writtenSchema }, schemaModule);

it.each(Object.entries(modules))('%s matches the zod schema', (path, text) => {
  expect(readFileSync(path, 'utf8') === text, 'run `npm run generate`').toBe(true);
});

it.each(['foreign/spec-check', 'written-check'])('%s has no imports, so that no run loads ajv', (name) => {
  const kept = readFileSync(`src/ignition/${name}.generated.ts`, 'utf8');
  expect(/\bimport\b|\brequire\(/.test(kept)).toBe(false);
});

it.each([3, 4, 5])('spec 3.%i accepts every field except newer ones', (minor) => {
  const later = found(everyField(`3.${minor}.0`), minor);
  expect(later.filter((line) => !line.startsWith('unknown storage.luks[0].'))).toEqual([]);
  expect(later.length).toBe({ 3: 4, 4: 1, 5: 0 }[minor]);
});

it('the newest spec that a release reads is the newest that the schema has', () => {
  const sinces = [...JSON.stringify(specFields).matchAll(/"since":(\d+)/g)].map(([, since]) => Number(since));
  expect(Math.max(...sinces)).toBe(releases.newest.machineConfigSpec);
});

describe('the form', () => {
  test.each([
    {
      name: 'a text for a number',
      given: { mode: '0644' },
      want: 'refused storage.files[0].mode: storage.files[0].mode must be a whole number, not a string',
    },
    {
      name: 'a number for a text',
      given: { contents: { source: 1 } },
      want: 'refused storage.files[0].contents.source: storage.files[0].contents.source must be a string, not a number',
    },
    {
      name: 'a map for a list',
      given: { append: {} },
      want: 'refused storage.files[0].append: storage.files[0].append must be a list, not a map of fields',
    },
    {
      name: 'a list for a map',
      given: { user: [] },
      want: 'refused storage.files[0].user: storage.files[0].user must be a map of fields, not a list',
    },
    {
      name: 'no path',
      given: { path: undefined },
      want: 'refused storage.files[0].path: storage.files[0].path is missing',
    },
    {
      name: 'a path that is null',
      given: { path: null },
      want: 'refused storage.files[0].path: storage.files[0].path is missing',
    },
    {
      name: 'a mode out of range',
      given: { mode: 0o10000 },
      want: 'refused storage.files[0].mode: storage.files[0].mode must be a whole number of at most 4095 (octal 07777)',
    },
    {
      name: 'another compression',
      given: { contents: { source: 'data:,', compression: 'xz' } },
      want: 'refused storage.files[0].contents.compression: storage.files[0].contents.compression must be gzip or left out',
    },
    {
      name: 'a hash of another form',
      given: { contents: { source: 'data:,', verification: { hash: 'md5-0' } } },
      want: 'refused storage.files[0].contents.verification.hash: storage.files[0].contents.verification.hash must be "sha512-" with 128 digits or "sha256-" with 64',
    },
    {
      name: 'a mistyped field',
      given: { content: { source: 'data:,' } },
      want: 'unknown storage.files[0].content: unknown field "content" in storage.files[0], which Ignition ignores',
    },
    {
      name: 'a field of later specs',
      given: { contents: { httpHeaders: [] } },
      minor: 0,
      want: 'unknown storage.files[0].contents.httpHeaders: storage.files[0].contents.httpHeaders needs Ignition spec 3.1.0, and the config has 3.0.0',
    },
  ])('$name', ({ given, minor, want }) => {
    expect(ofFile(given, minor)).toEqual([want]);
  });

  test.each([
    { given: { mode: '0644' }, want: 'write 420, which is octal 644' },
    { given: { mode: '420' }, want: 'write 272, which is octal 420' },
    { given: { mode: '0o755' }, want: 'write 493, which is octal 755' },
    { given: { user: { id: '7' } }, want: 'leave the quotes out' },
    { given: { overwrite: 'true' }, want: 'leave the quotes out' },
    { given: { contents: { source: 7 } }, want: 'put it in quotes' },
    { given: { append: { source: 'data:,' } }, want: 'start each item with "- "' },
    { given: { conents: {} }, want: 'did you mean "contents"?' },
    { given: { contents: {}, conents: {} }, want: undefined },
  ])('$given has the hint: $want', ({ given, want }) => {
    const config = { ignition: { version: '3.2.0' }, storage: { files: [{ path: '/a', ...given }] } };
    expect(validateIgnition(config, 2).map(({ hint }) => hint)).toEqual([want]);
  });

  test('of a list with duplicates', () => {
    expect(found({ passwd: { users: [{ name: 'core', groups: ['a', 'b', 'a'] }] } })).toEqual([
      'refused passwd.users[0].groups[2]: passwd.users[0].groups[2] is in its list twice',
    ]);
  });

  test('a field of a later spec is not looked into', () => {
    expect(found({ kernelArguments: 'nosmt' })).toEqual([
      'unknown kernelArguments: kernelArguments needs Ignition spec 3.3.0, and the config has 3.2.0',
    ]);
  });
});

describe('the contents', () => {
  test.each([
    { path: '', want: '"" is not a plain absolute path' },
    { path: 'etc/a', want: '"etc/a" is not a plain absolute path' },
    { path: '/etc/../a', want: '"/etc/../a" is not a plain absolute path' },
    { path: '/etc/', want: '"/etc/" is not a plain absolute path' },
  ])('the path "$path"', ({ path, want }) => {
    expect(ofFile({ path })).toEqual([`refused storage.files[0].path: ${want}`]);
  });

  test('accepts the root as a folder', () => {
    expect(found({ storage: { directories: [{ path: '/', mode: 0o755 }] } })).toEqual([]);
  });

  test('of storage', () => {
    const storage = {
      files: [{ path: '/a' }, { path: '/b/c' }],
      directories: [{ path: '/a' }, { path: '/a/d', user: { id: 0, name: 'root' } }],
      links: [{ path: '/b', target: '/e' }],
    };
    expect(found({ storage })).toEqual([
      'refused storage.directories[0].path: "/a" is in the config twice',
      'refused storage.directories[1].user: the user is given by id and by name, expected one of the two',
      'refused storage.files[1].path: "/b/c" lies below "/b", which is not a folder',
      'refused storage.directories[1].path: "/a/d" lies below "/a", which is not a folder',
    ]);
  });

  const schemes = 'a source must be a URL that starts with data:, http:, https:, s3:, tftp:';
  test.each([
    {
      name: 'percent signs alone',
      given: { contents: { source: 'data:,100%' } },
      want: 'contents.source: a data: URL cannot be decoded',
    },
    {
      name: 'base64 over lines',
      given: { contents: { source: 'data:;base64,QUFB\nQUFB' } },
      want: 'contents.source: a data: URL cannot be decoded',
    },
    {
      name: 'text as it is',
      given: { contents: { source: 'hello' } },
      want: `contents.source: ${schemes}, gs:`,
    },
    {
      name: 'a scheme that came later',
      given: { contents: { source: 'gs://a/b' } },
      minor: 1,
      want: `contents.source: ${schemes}`,
    },
    {
      name: 'appended text',
      given: { append: [{ source: 'hello' }] },
      want: `append[0].source: ${schemes}, gs:`,
    },
    {
      name: 'a hash of nothing',
      given: { contents: { verification: { hash: `sha512-${'0'.repeat(128)}` } } },
      want: 'contents.verification.hash: a hash is given without a source',
    },
    {
      name: 'an early SHA-256',
      given: { contents: { source: 'data:,', verification: { hash: `sha256-${'0'.repeat(64)}` } } },
      minor: 0,
      want: 'contents.verification.hash: hashes of SHA-256 came with Ignition spec 3.1.0',
    },
    {
      name: 'nothing to overwrite with',
      given: { overwrite: true },
      want: 'overwrite: a file without contents.source overwrites nothing',
    },
  ])('$name', ({ given, minor, want }) => {
    expect(ofFile(given, minor)).toEqual([`refused storage.files[0].${want}`]);
  });

  test('special bits of a mode have no effect before 3.4', () => {
    const want =
      'idle storage.files[0].mode: the setuid, setgid and sticky bits of a mode are left out before Ignition spec 3.4.0';
    expect(ofFile({ mode: 0o4755 }, 3)).toEqual([want]);
    expect(ofFile({ mode: 0o4755 }, 4)).toEqual([]);
  });

  test.each([
    {
      name: 'a name without a type',
      given: { name: 'a' },
      want: 'refused systemd.units[0].name: systemd.units[0].name must be a name that ends in a type of unit, such as .service',
    },
    {
      name: 'an open section',
      given: { contents: '[Unit\nA=1\n' },
      want: 'refused systemd.units[0].contents: the text of a unit cannot be read at its line 1',
    },
    {
      name: 'a word alone',
      given: { contents: '[Unit]\nA=1\nfoo\n' },
      want: 'refused systemd.units[0].contents: the text of a unit cannot be read at its line 3',
    },
    {
      name: 'a setting before all sections',
      given: { contents: 'A=1\n' },
      want: 'idle systemd.units[0].contents: systemd leaves out what it does not understand, as line 1 of this text',
    },
    {
      name: 'nothing to be enabled by',
      given: { enabled: true, contents: '[Unit]\n' },
      want: 'idle systemd.units[0].enabled: enabling a unit without an [Install] section has no effect',
    },
    {
      name: 'a drop-in without .conf',
      given: { dropins: [{ name: 'a' }] },
      want: 'refused systemd.units[0].dropins[0].name: systemd.units[0].dropins[0].name must be a name that ends in .conf',
    },
    {
      name: 'a drop-in twice',
      given: { dropins: [{ name: 'a.conf' }, { name: 'a.conf' }] },
      want: 'refused systemd.units[0].dropins[1].name: drop-in "a.conf" is in its unit twice',
    },
    {
      name: 'a drop-in with a word alone',
      given: { dropins: [{ name: 'a.conf', contents: '[Unit]\nfoo' }] },
      want: 'refused systemd.units[0].dropins[0].contents: the text of a unit cannot be read at its line 2',
    },
  ])('$name', ({ given, want }) => {
    expect(ofUnit(given)).toEqual([want]);
  });

  test('rejects duplicate units and users', () => {
    const [unit, user] = [{ name: 'a.service' }, { name: 'core' }];
    expect(found({ systemd: { units: [unit, unit] }, passwd: { users: [user, user] } })).toEqual([
      'refused systemd.units[1].name: "a.service" is in the config twice',
      'refused passwd.users[1].name: "core" is in the config twice',
    ]);
  });
});

describe('odd input', () => {
  test('reports all faults of a config together', () => {
    const mutants = mutantsOf({
      ignition: { version: '3.2.0' },
      storage: { files: [{ path: '/a', mode: 1 }] },
    });
    const mode = mutants.find(({ name }) => name === 'storage.files.0.mode is "x"');
    const config = { ...(mode?.config as object), passwd: { users: [{ nam: 'core' }] }, systemd: [] };
    expect(validateIgnition(config, 2).map(({ path }) => pathText(path))).toEqual([
      'storage.files[0].mode',
      'systemd',
      'passwd.users[0].name',
      'passwd.users[0].nam',
    ]);
  });

  test.each([null, true, 3, 'text', [], [[]]])('rejects %j', (given) => {
    expect(validateIgnition(given, 2).map(({ kind, path }) => ({ kind, path }))).toEqual([
      { kind: 'refused', path: [] },
    ]);
  });

  test('rejects property names of Object.prototype as unknown fields', () => {
    const text = '{"ignition":{"version":"3.2.0"},"__proto__":{"storage":1},"constructor":{},"toString":1}';
    expect(
      validateIgnition(JSON.parse(text), 2).map(({ kind, path }) => `${kind} ${path.join('.')}`),
    ).toEqual(['unknown __proto__', 'unknown constructor', 'unknown toString']);
  });

  test('neither depth nor length is too much', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(found({ storage: { files: deep, odd: deep } }).length).toBe(2);
    const long = 'a'.repeat(10_000_000);
    expect(ofFile({ path: `/${long}`, contents: { source: `data:,${long}` } })).toEqual([]);
    const files = Array.from({ length: 50_000 }, (_, index) => ({ path: `/${index}` }));
    expect(found({ storage: { files } })).toEqual([]);
  });

  test('any JSON is judged, without a word of its contents', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 5 }), (value, minor) => {
        const canary = 'canary-of-a-password';
        const config = {
          ignition: value,
          storage: { files: [value, { contents: { source: canary, odd: value } }] },
        };
        expect(JSON.stringify(validateIgnition(config, minor))).not.toContain(canary);
      }),
    );
  });
});
