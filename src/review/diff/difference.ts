/** An item that exists on one side only, or differs between the sides. Contains no secret. */
export interface Difference {
  /** The configs with this difference, as tree paths; the root of the tree for items outside of configs. */
  readonly in: readonly string[];
  readonly kind: ItemKind;
  /** A node path, the name of a unit or user, or `Kind namespace/name`. */
  readonly name: string;
  readonly change: 'added' | 'removed' | 'changed' | 'renamed';
  /** The name before, if the item was renamed. */
  readonly from?: string;
  readonly details: readonly Detail[];
  /** The items that contain the certificate, such as `file /etc/ca.crt` or `object Secret a/b`. */
  readonly at?: readonly string[];
}

/** An `output` is a file next to the configs. A `sheet` is a section of the site sheet. A `template` is a constant file of sno-install that a golden tree contains. */
export type ItemKind =
  | 'sheet'
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

/** A difference in JSON output. */
export function differenceData({ in: configs, kind, name, change, from, details, at }: Difference): object {
  return {
    configs,
    kind,
    name,
    change,
    ...(from !== undefined && { from }),
    details: details.map(({ what, ...detail }) => ({ field: what, ...detail })),
    ...(at && { items: at }),
  };
}

/** A part of an item that differs: two values, hunks of lines, or a hidden difference. */
export interface Detail {
  /** Such as `mode`, `contents`, `spec.channel` or, for a certificate, `validity`. */
  readonly what: string;
  readonly before?: string;
  readonly after?: string;
  readonly hunks?: readonly Hunk[];
  /** The difference is masked: a secret, or the signature of a certificate. */
  readonly hidden?: true;
  /** Other items with the same difference, such as `object MachineConfig a`. It is not repeated there. */
  readonly also?: readonly string[];
  /** The item whose added or removed text is the same; it is not repeated here. */
  readonly sameAs?: string;
}

/** A detail of a text, or of a certificate in it. `certificate` is its subject. */
export interface TextDetail extends Detail {
  readonly certificate?: string;
}

/** Changed lines with context. */
export interface Hunk {
  /** First line, counted from 1. */
  readonly beforeLine: number;
  readonly afterLine: number;
  /** Each line starts with a space, `-` or `+`. */
  readonly lines: readonly string[];
}
