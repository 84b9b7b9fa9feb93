import { describe, expect, it } from 'vitest';

import { templatesFrom } from '../../src/disk/program-files/templates.js';
import { postInstallObjects } from '../../src/manifests/post-install/post-install-objects.js';
import { postInstallSystem } from '../../src/node/post-install.js';

const templates = templatesFrom('templates');

function systemOf(files: Readonly<Record<string, string>>) {
  const given = Object.entries(files).map(([file, text]) => ({ file, bytes: Buffer.from(text) }));
  return postInstallSystem(postInstallObjects(given).objects, {
    manifests: [],
    timeoutSeconds: 5400,
    templates,
  });
}

describe('postInstallSystem', () => {
  it('adds nothing without objects', () => {
    expect(systemOf({})).toEqual({ files: [], nodeFiles: '' });
  });

  it('contains the objects, readable by root only, the program and its unit', () => {
    const { files, nodeFiles } = systemOf({
      'post-install/10-a.yaml':
        'apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: default}\nstringData: {a: b}\n',
    });
    expect(files.map(({ path, mode }) => [path, mode])).toEqual([
      ['/opt/openshift/bootstrap-in-place/units/sno-post-install.service', 0o600],
      ['/usr/local/bin/sno-post-install.sh', 0o555],
      ['/opt/openshift/post-install/settings.env', 0o600],
      ['/opt/openshift/post-install/objects.tsv', 0o600],
      ['/opt/openshift/post-install/objects/0001-secret-a.yaml', 0o600],
    ]);
    expect(files[2]?.contents).toBe('# Limit of a wave, in seconds.\nSNO_POST_INSTALL_TIMEOUT=5400\n');
    expect(nodeFiles).toBe(templates.text('post-install/node-files.list'));
  });
});
