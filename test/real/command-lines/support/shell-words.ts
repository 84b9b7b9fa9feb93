/** A word of a script. Expansions are `@NAME@`. An array expansion (`"${options[@]}"`) is a separate word. */
export interface Word {
  readonly text: string;
  /** The name of the expanded array. */
  readonly list?: string;
}

/** A simple command of a script, or the words of an array assignment. */
export interface ShellCommand {
  readonly line: number;
  readonly words: readonly Word[];
}

/** The commands of a script, including those in substitutions. Supports the syntax of our scripts: no here-documents. */
export function commandsOf(script: string): readonly ShellCommand[] {
  return new Reader(script).read();
}

/** Reads a script in one pass. */
class Reader {
  private position = 0;
  private readonly commands: ShellCommand[] = [];

  constructor(private readonly script: string) {}

  read(): readonly ShellCommand[] {
    while (this.position < this.script.length) this.list(undefined);
    return this.commands;
  }

  /** Commands up to the closing bracket. */
  private list(end: string | undefined): void {
    let words: Word[] = [];
    let line = 0;
    const finish = () => {
      if (words.length > 0) this.commands.push({ line, words });
      words = [];
    };
    while (this.position < this.script.length) {
      const next = this.script.charAt(this.position);
      if (next === end) break;
      if (next === '(') {
        // An array, a function's brackets or a subshell: its words are a separate command, including preceding assignments.
        this.position += 1;
        const name = words.at(-1)?.text.match(/^\w+\+?=$/) ? words.pop() : undefined;
        finish();
        this.group(name);
      } else if (/[\n;|&()]/.test(next)) {
        this.position += 1;
        finish();
      } else if (/[<>]/.test(next)) {
        this.redirection(words);
      } else if (next === '#') {
        this.skip(/[^\n]*/y);
      } else if (!this.skip(/(?:[ \t]|\\\n)+/y)) {
        if (words.length === 0) line = this.line();
        words.push(this.word());
      }
    }
    finish();
    this.position += 1;
  }

  private group(name: Word | undefined): void {
    const firstIndex = this.commands.length;
    this.list(')');
    if (name === undefined) return;
    // The lines of an array are joined: they are its words.
    const inside = this.commands.splice(firstIndex);
    this.commands.push({ line: this.line(), words: [name, ...inside.flatMap(({ words }) => words)] });
  }

  /** Skips the operator and its target. The `2` of `2>` is not a word of the command. */
  private redirection(words: Word[]): void {
    const before = this.script.charAt(this.position - 1);
    if (/\d/.test(before)) words.pop();
    if (this.skip(/[<>]\(/y)) {
      this.list(')');
      return;
    }
    this.skip(/[<>&]+[ \t]*/y);
    if (this.skip(/[<>]\(/y)) this.list(')');
    else this.word();
  }

  private word(): Word {
    return this.parts(
      (next) => /[\s;|&()<>]/.test(next),
      (next) => {
        if (next === "'") return { text: this.quoted() };
        return next === '"' ? this.doubleQuoted() : this.plain(next);
      },
    );
  }

  /** Joins adjacent parts up to the end. The first array in them is that of the word. */
  private parts(isEnd: (next: string) => boolean, part: (next: string) => Word): Word {
    let text = '';
    let list: string | undefined;
    while (this.position < this.script.length && !isEnd(this.script.charAt(this.position))) {
      const found = part(this.script.charAt(this.position));
      text += found.text;
      list ??= found.list;
    }
    return list === undefined ? { text } : { text, list };
  }

  /** An expansion, or a single or escaped character. */
  private plain(next: string): Word {
    if (next === '$') return this.expansion();
    if (next === '\\') this.position += 1;
    const text = this.script.charAt(this.position);
    this.position += 1;
    return { text };
  }

  private quoted(): string {
    const end = this.script.indexOf("'", this.position + 1);
    const text = this.script.slice(this.position + 1, end);
    this.position = end + 1;
    return text;
  }

  private doubleQuoted(): Word {
    this.position += 1;
    const inside = this.parts(
      (next) => next === '"',
      (next) => this.plain(next),
    );
    this.position += 1;
    return inside;
  }

  /** After `$`: a variable, or a substitution, whose commands are read too. */
  private expansion(): Word {
    if (this.skip(/\$'/y)) {
      this.position -= 1;
      return { text: this.quoted() };
    }
    if (this.skip(/\$\(\(/y)) {
      this.skip(/(?:[^()]|\([^()]*\))*\)\)/y);
      return { text: '1' };
    }
    if (this.skip(/\$\(/y)) {
      this.list(')');
      return { text: '@command@' };
    }
    if (this.skip(/\$\{/y)) return this.parameter();
    if (!this.skip(/\$\w+|\$[@*#?$!-]/y)) this.position += 1;
    return { text: '@variable@' };
  }

  /** `${…}`, with quotes and substitutions inside. */
  private parameter(): Word {
    const start = this.position;
    while (this.script.charAt(this.position) !== '}') {
      const next = this.script.charAt(this.position);
      if (next === '"') this.doubleQuoted();
      else if (next === "'" && this.script.charAt(start) !== '1') this.quoted();
      else if (next === '$') this.expansion();
      else this.position += next === '\\' ? 2 : 1;
    }
    const inside = this.script.slice(start, this.position);
    this.position += 1;
    const name = /^!?#?(\w+|@)/.exec(inside)?.[1] ?? '';
    return /^(?:\w+\[@\]|@)/.test(inside) ? { text: '', list: name } : { text: `@${name}@` };
  }

  private skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.script)?.[0];
    if (found === undefined || found === '') return false;
    this.position += found.length;
    return true;
  }

  private line(): number {
    return this.script.slice(0, this.position).split('\n').length;
  }
}
