/**
 * A file of CommonJS as an expression whose value is a function of what Node.js gives to such a file (`exports`, `require`, `module`,
 * `__filename`, `__dirname`) and of `importPackage`, which stands where `import()` stood; each line where it was, all of it ASCII.
 * Throws where that would mean something else than the file: `import()` of what is no package named there and then, `import.meta`, and
 * characters beyond ASCII that no escape can stand for.
 */
export function inLaunchedForm(code: string, name: string): string;
