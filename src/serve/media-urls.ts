/** The files served under a site token. */
export const siteFileNames = ['live.iso', 'boot.ipxe', 'single-node-initrd.img'] as const;

export type SiteFileName = (typeof siteFileNames)[number];

/** `base` is the URL of the server. */
export function siteUrl(base: URL, token: string, name: SiteFileName): URL {
  return new URL(`/${token}/${name}`, base);
}

/** The URL of a network boot file, shared by all sites. `id` is the ID of the image. */
export function netbootUrl(base: URL, id: string, name: string): URL {
  return new URL(`/live/${id}/${name}`, base);
}

export function isSiteFileName(name: string): name is SiteFileName {
  return siteFileNames.some((each) => each === name);
}
