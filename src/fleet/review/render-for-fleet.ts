import { profileUuids } from '../../config/network/profile-uuids.js';
import { cachedRenderFile, type RenderFile } from '../../review/render-file.js';

/**
 * Renders files so that the texts of sites can be shared: a UUID that follows from the name of its NetworkManager profile is shown as
 * `<UUID of vlan://eno1.100>`, which then has the same placeholders as the name. Any other UUID is kept.
 */
export function renderForFleet(): RenderFile {
  const show = cachedRenderFile();
  return (part) => withProfileUuids(show(part));
}

export function withProfileUuids(text: string): string {
  const urls = profileUuids(text);
  if (urls.size === 0) return text;
  return text.replaceAll(uuid, (word) => {
    const url = urls.get(word);
    return url === undefined ? word : `<UUID of ${url}>`;
  });
}

const uuid = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g;
