/** Something that one side has and the other has not, or has otherwise. Nothing in it is a secret. */
export interface Difference {
  /** The configs, as paths of a tree, in which the same differs in the same way; of what belongs to none the tree itself. */
  readonly in: readonly string[];
  readonly kind: ItemKind;
  /** A path of the node, the name of a unit or user, or `Kind namespace/name`. */
  readonly name: string;
  readonly change: 'added' | 'removed' | 'changed';
  readonly details: readonly Detail[];
  /** Of a certificate: what it stands in, such as `file /etc/ca.crt` or `object Secret a/b`. */
  readonly at?: readonly string[];
}

/** What can differ. An output is a file beside the configs; a template is a constant file of sno-install that a golden tree shows. */
export type ItemKind =
  | 'sno-install'
  | 'config'
  | 'output'
  | 'user'
  | 'file'
  | 'unit'
  | 'folder'
  | 'link'
  | 'object'
  | 'certificate'
  | 'template';

/** A part that differs: one value before and after, lines, or that it does while neither may be shown. */
export interface Detail {
  /** Such as `mode`, `contents`, `spec.channel` or, of a certificate, `validity`. */
  readonly what: string;
  readonly before?: string;
  readonly after?: string;
  readonly hunks?: readonly Hunk[];
  /** It differs in something that is not shown: a secret, or the signature of a certificate. */
  readonly hidden?: true;
}

/** A detail of a text, or of a certificate that stands in it, by its subject. */
export interface TextDetail extends Detail {
  readonly certificate?: string;
}

/** Lines that differ, with some around them. */
export interface Hunk {
  /** Where it begins, from 1. */
  readonly beforeLine: number;
  readonly afterLine: number;
  /** Each begins with a blank, `-` or `+`. */
  readonly lines: readonly string[];
}
