/** A Kubernetes object in the form of the API. */
export interface ApiObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ApiMetadata & { readonly name: string };
  readonly [field: string]: unknown;
}

/** Namespace and labels of all objects of a Job. */
export interface ApiMetadata {
  readonly namespace?: string;
  readonly labels: Readonly<Record<string, string>>;
}
