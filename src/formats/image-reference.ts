/** Parts of a pull spec such as `quay.io/openshift-release-dev/ocp-release:4.21.0-x86_64`. */
export interface ImageReference {
  /** Host, with its port if there is one. */
  readonly registry: string;
  /** Registry and path, without tag and digest. */
  readonly repository: string;
  readonly tag?: string;
  /** `sha256:<64 hex digits>` */
  readonly digest?: string;
}

/** Grammar: github.com/distribution/reference reference.go. */
const host = String.raw`(?:localhost|[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*|\[[0-9a-fA-F:]+\])`;
const component = String.raw`[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*`;
const reference = new RegExp(
  String.raw`^(${host}(?::\d+)?)((?:/${component})+)(?::([A-Za-z0-9_][A-Za-z0-9._-]{0,127}))?(?:@(sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128}))?$`,
);
/** Source: same grammar, NameTotalLengthMax (255), plus the length of a tag and a digest. */
const maxReferenceLength = 512;
const hostAlone = new RegExp(String.raw`^${host}(?::\d+)?$`);

/** Parses a pull spec. Undefined if it is invalid, or has no registry. */
export function parseImageReference(text: string): ImageReference | undefined {
  const found = text.length <= maxReferenceLength ? reference.exec(text) : undefined;
  const [, registry, path, tag, digest] = found ?? [];
  if (registry === undefined || path === undefined || !isRegistry(registry)) return undefined;
  return {
    registry,
    repository: registry + path,
    ...(tag !== undefined && { tag }),
    ...(digest !== undefined && { digest }),
  };
}

/** Whether a text is a registry host, with or without port. */
export function isRegistryHost(text: string): boolean {
  return text.length <= maxReferenceLength && hostAlone.test(text) && isRegistry(text);
}

/** A first component without dot or port is part of a path on docker.io, unless it is localhost. */
function isRegistry(text: string): boolean {
  return text.includes('.') || text.includes(':') || text === 'localhost';
}
