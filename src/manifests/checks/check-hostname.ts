import { problem, type Problem } from '../../core/problem.js';
import { quoted, maskedWord } from '../../core/quoted.js';
import { entriesAt, fileText } from '../../ignition/foreign/config-entries.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { SourcedObject } from '../../kube/manifest.js';
import { isMachineConfig, roleOf } from './check-machine-config.js';

export const hostnamePath = '/etc/hostname';

/**
 * MachineConfigs that name the node: the installed node takes their name, and the live system, which makes the certificates of etcd
 * and of the kubelet for its own name, does not. Problems: manifest/hostname, manifest/hostname-not-live.
 */
export function hostnameProblems(
  objects: readonly SourcedObject[],
  hostname: string | undefined,
): readonly Problem[] {
  return objects
    .filter((each) => isMachineConfig(each) && roleOf(each) === 'master')
    .flatMap(({ object, source }) =>
      entriesAt(object, ['spec', 'config', 'storage', 'files']).flatMap(({ path, entry }) => {
        if (entry['path'] !== hostnamePath) return [];
        const name = fileText(entry)?.trim();
        const [at, who] = [manifestFieldPlace(source, [...path, 'path']), maskedWord(object.metadata.name)];
        if (hostname === undefined) {
          const message = `MachineConfig ${who} names the installed node, and the live system does not get the name`;
          const hint = `write hostname: ${isHostname(name) ? name : 'NAME'} in sno-config.yaml, which names both`;
          return [problem('manifest/hostname-not-live', message, { at, hint })];
        }
        if (name === undefined || name.toLowerCase() === hostname.toLowerCase()) return [];
        const message = `MachineConfig ${who} names the node ${quoted(name)}, and hostname in sno-config.yaml is ${quoted(hostname)}`;
        return [
          problem('manifest/hostname', message, {
            at,
            hint: 'remove the file, or change hostname to its name',
          }),
        ];
      }),
    );
}

function isHostname(name: string | undefined): name is string {
  return name !== undefined && /^[a-z0-9][a-z0-9.-]{0,62}$/.test(name);
}
