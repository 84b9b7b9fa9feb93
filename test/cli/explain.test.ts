import { describe, expect, it } from 'vitest';

import { snoInProcess } from '../support/in-process.js';

describe('explain', () => {
  it('lists the top-level fields of each config without a topic', async () => {
    const { code, stdout } = await snoInProcess(['explain']);

    expect(code).toBe(0);
    for (const line of [
      /^install-config\.yaml$/m,
      /^ {2}baseDomain +text, required +\S/m,
      /^ {2}imageContentSources +list of map, deprecated/m,
      /^sno-config\.yaml$/m,
      /^ {2}network +map +\S/m,
      /^fleet\.yaml$/m,
      /^ {2}overrides +text +\S/m,
    ])
      expect(stdout).toMatch(line);
  });

  it('prints the fields below a map with their descriptions, and the example as YAML at its path', async () => {
    const { stdout } = await snoInProcess(['explain', 'network']);

    expect(stdout).toMatch(/^ {2}interfaces +list of map +The interfaces of the node\.$/m);
    expect(stdout).toContain(
      'Example:\n  network:\n    hostname:\n      config: node-1\n    interfaces:\n      - name: eno1\n',
    );
    expect(stdout).not.toContain('`explain network`');
  });

  it('nests the example of a list item in its list', async () => {
    const { stdout } = await snoInProcess(['explain', 'aio.files[].path']);

    expect(stdout).toMatch(/^Example:\n {2}aio:\n {4}files:\n {6}- path: \S/m);
  });

  it('prints the cause and remedy of a fault', async () => {
    const { code, stdout } = await snoInProcess(['explain', 'disk-unmarked']);

    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^disk-unmarked \(fault of analyze\)\n\nFault: {2}\S.*\.\nCause: {2}\S.*\.\nFix: {4}\S.*\.\nStages: \S.*\n$/,
    );
  });

  it('suggests the id of a mistyped fault', async () => {
    const { code, stderr } = await snoInProcess(['explain', 'disk-unmarkd']);

    expect([code, stderr]).toEqual([
      2,
      'error[usage/unknown-argument]: unknown fault `disk-unmarkd`\n   = hint: did you mean disk-unmarked?\n',
    ]);
  });
});
