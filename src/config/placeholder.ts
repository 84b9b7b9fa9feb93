import { fillInBraces } from '../formats/yaml/yaml-faults.js';

/**
 * A hint for a placeholder that was never filled in; it explains all other faults of the value. Does not repeat the text, which may be a
 * secret. Undefined for any other text.
 */
export function placeholderHint(text: string): string | undefined {
  if (/\{\{.*\}\}/.test(text)) return fillInBraces;
  if (/\$\{[A-Za-z_][\w.]*\}/.test(text)) return 'fill in the template: "${…}" is still there';
  if (insideText.test(text)) return 'fill it in: "<…>" is still there';
  if (isPlaceholder(text)) return unfilledHint;
  // Could be intended.
  return /^[A-Z]{2,}(?:_[A-Z]{2,})+$/.test(text.trim()) ? 'replace it, if it is a placeholder' : undefined;
}

/** The hint of a value that is nothing but a placeholder. */
export const unfilledHint = 'fill it in';

/** A placeholder after a separator, as in `console=<tty>` or `api.<domain>`. `joe <joe@example.com>` is none. */
const insideText = /(?:.[/.:@=,-]|^[/.:@-])<[\w -]+>/;

/** Whether a text of one line is a placeholder, or contains one after a separator. Longer texts can be scripts. */
export function hasPlaceholder(text: string): boolean {
  const line = text.trim();
  return isPlaceholder(text) || (!/[\r\n]/.test(line) && insideText.test(line));
}

/** Whether a whole text is a placeholder, in a field of any kind. */
export function isPlaceholder(text: string): boolean {
  return placeholders.some((pattern) => pattern.test(text.trim()));
}

/** Such as `<domain>`, `{{ domain }}`, `${domain}` or `changeme`. */
const placeholders = [/^<.*>$/, /^\{\{.*\}\}$/, /^\$\{[A-Za-z_][\w.]*\}$/, /^(?:change|replace)[ _-]?me$/i];
