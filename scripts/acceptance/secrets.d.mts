/** Returns a function that removes the secrets of a site from a text. */
export function redactor(site: string): (text: string) => string;
