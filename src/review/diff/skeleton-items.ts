import { without } from '../../core/map-record.js';
import { parseJson } from '../../formats/json.js';
import { isRecord, listAt, textAt } from '../../kube/fields.js';
import type { SourcedText } from '../explode.js';
import type { Item } from './item.js';

/** A config without its files: each user by name, and all the rest as one. */
export function configItems({ text, config }: SourcedText, of: string): readonly Item[] {
  const value = parseJson(text);
  const users = usersIn(value);
  const sources = new Map(usersIn(config));
  return [
    {
      of,
      kind: 'config',
      name: 'settings',
      facts: {},
      value: withoutUsers(value),
      ...(config && { sourceValue: withoutUsers(config) }),
    },
    ...users.map(([name, user]): Item => {
      const sourceValue = sources.get(name);
      return {
        of,
        kind: 'user',
        name,
        facts: {},
        value: user,
        ...(sourceValue !== undefined && { sourceValue }),
      };
    }),
  ];
}

function usersIn(config: unknown): readonly (readonly [string, unknown])[] {
  return listAt(config, ['passwd', 'users']).map((user) => [
    textAt(user, ['name']) ?? 'without a name',
    user,
  ]);
}

function withoutUsers(config: unknown): unknown {
  if (!isRecord(config) || !isRecord(config['passwd'])) return config;
  return { ...config, passwd: without(config['passwd'], ['users']) };
}
