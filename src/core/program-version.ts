/** The version in package.json; a test compares the two. */
export const programVersion = '0.1.0';
