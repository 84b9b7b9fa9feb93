import { uuidOfUrl } from '../../formats/uuid.js';
import { typeNames } from './link-sections.js';

/** UUIDs of the keyfiles in a text that follow from type and name, with the URLs from which they are computed. */
export function profileUuids(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, , section = ''] of text.matchAll(connectionSection)) {
    const [id, name, type, uuid] = ['id', 'interface-name', 'type', 'uuid'].map((key) =>
      valueOf(section, key),
    );
    const scheme = Object.values(typeNames).find(({ manager }) => manager === type)?.nmstate;
    const urls = [name, id].flatMap((each) => (each === undefined ? [] : [`${scheme ?? ''}://${each}`]));
    const url = urls.find((each) => uuidOfUrl(each) === uuid);
    if (uuid !== undefined && url !== undefined) found.set(uuid, url);
  }
  return found;
}

/** A section with its indentation, which a keyfile in YAML has. */
const connectionSection = /^([-+ \t]*)\[connection\]\n((?:[^[\n]*(?:\n|$))*)/gm;

function valueOf(section: string, key: string): string | undefined {
  return new RegExp(`^[ \\t]*${key}=(.*)$`, 'm').exec(section)?.[1];
}
