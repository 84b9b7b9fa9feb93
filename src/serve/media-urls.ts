/** What is served below the token of a site. */
export const siteFileNames = ['live.iso', 'boot.ipxe', 'single-node-initrd.img'] as const;

/** The name of a file below the token of a site. */
export type SiteFileName = (typeof siteFileNames)[number];

/** Where a file of a site is. `base` is the URL of the server. */
export function siteUrl(base: URL, token: string, name: SiteFileName): URL {
  return new URL(`/${token}/${name}`, base);
}

/** Where what a boot over the network loads of the image is, the same for all sites; `id` is that of the image. */
export function netbootUrl(base: URL, id: string, name: string): URL {
  return new URL(`/live/${id}/${name}`, base);
}

/** Whether a name is one of a file below the token of a site. */
export function isSiteFileName(name: string): name is SiteFileName {
  return siteFileNames.some((each) => each === name);
}
