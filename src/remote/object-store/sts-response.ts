/** The document ends with its root element. Nested credentials are not part of the format. */
const documentForm =
  /^\s*(?:<\?xml[^<>]*\?>)?\s*<AssumeRoleWithWebIdentityResponse(?:\s[^<>]*)?>([^]*)<\/AssumeRoleWithWebIdentityResponse>\s*$/;

/**
 * Texts of these elements in the credentials of an STS response; undefined unless each occurs once with a printable value. Documents with
 * a DOCTYPE, comments, CDATA or other entities than those of XML are rejected, so nothing is expanded.
 */
export function valuesOfXml(xml: string, names: readonly string[]): readonly string[] | undefined {
  const [, document] = documentForm.exec(xml) ?? [];
  if (document === undefined || /<[!?]/.test(document)) return undefined;
  const parts = document.split(/<\/?Credentials>/);
  if (parts.length !== 3) return undefined;
  const values = names.map((name) => {
    const found = [...(parts[1] ?? '').matchAll(new RegExp(`<${name}>([^<>]*)</${name}>`, 'g'))];
    const text = found.length === 1 ? decoded(found[0]?.[1]?.trim() ?? '') : undefined;
    // These characters are valid in a header. The longest session tokens have a few kilobytes.
    return text !== undefined && /^[\x21-\x7e]{1,16384}$/.test(text) ? text : undefined;
  });
  const complete = values.filter((value) => value !== undefined);
  return complete.length === names.length ? complete : undefined;
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Undefined for other entities, a bare ampersand and characters beyond ASCII. */
function decoded(text: string): string | undefined {
  const isSound = /^(?:[^&]|&(?:#\d{1,7}|#x[\da-f]{1,6}|lt|gt|amp|quot|apos);)*$/i.test(text);
  const plain = text.replace(
    /&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi,
    (_, hex?: string, dec?: string, name?: string) => {
      const code = hex === undefined ? Number(dec) : parseInt(hex, 16);
      return entities[name ?? ''] ?? (code < 0x80 ? String.fromCharCode(code) : '\0');
    },
  );
  return isSound ? plain : undefined;
}
