/** Pairs that open nothing but what tests encrypt, as `age-keygen` made them. */
export const ageKeys = {
  ours: {
    recipient: 'age1zlxej29vtsht5wc8ag6lgyxxjslvk6lc64cgq7pcc2jh6lnzqdess4j7aq',
    identity: 'AGE-SECRET-KEY-1PUE2Y5Z34QG0WREAZ7JXC8MWELRVHKX5ZFERSA8S0XNFV3SX9T5SNS6TGR',
  },
  others: {
    recipient: 'age1jw3zwjfe9dh7ylswxp8gh9rr3jcfw2tqd9f2mzvg47yy6qp3edcsegwcng',
    identity: 'AGE-SECRET-KEY-17U8N0ZMJST6H3ED9F2SP2UJ8FYE0LUL0S9SKK2D2RTECC6U6VK0SSUMNHU',
  },
} as const;

/** A file that is encrypted to the first of them; `{}` is in it. */
export const encryptedFile = `-----BEGIN AGE ENCRYPTED FILE-----
YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSA5SERzK1I4ZGxQeDEvR2sr
Z0o2NU5UdHpJd3RYc0FLQlBnMDYvQzJIL0Y0CjNuRFVFR0IzK0dXT1cvZDBnTURu
QzNoejdENHVSYnJBTU5CZjBMRmlHM28KLS0tIHdzYkpRelZaL2pvNXhPd29CV1E1
OSs4cFBPV1NTa2RZSUd2TGptajd5TjAKf4laeKN9+P3uOw80MPNNFlCL9HbCTPZa
+r22dIGribFd3g==
-----END AGE ENCRYPTED FILE-----
`;
