/** Whether a file is YAML, or JSON, by its name. Source of the endings: openshift/installer pkg/asset/manifests */
export function isYamlName(name: string): boolean {
  return /\.(?:ya?ml|json)$/.test(name);
}
