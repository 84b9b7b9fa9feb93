/** What looks like an RSA-2048 key (PKCS#8, PEM) and that no other has. */
export function randomRsaPem(): string;
