/** An object of Kubernetes, as the API takes it. */
export interface ApiObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ApiMetadata & { readonly name: string };
  readonly [field: string]: unknown;
}

/** What objects of one Job have in common. */
export interface ApiMetadata {
  readonly namespace?: string;
  readonly labels: Readonly<Record<string, string>>;
}
