// The facts of schemas in OpenAPI documents, which Go programs publish for their own types.

/** Types that decode themselves. Source: k8s.io/apimachinery and k8s.io/apiextensions-apiserver, UnmarshalJSON of each type */
const special = {
  'apimachinery.pkg.api.resource.Quantity': { format: 'quantity' },
  'apimachinery.pkg.util.intstr.IntOrString': { isIntOrString: true },
  'apimachinery.pkg.apis.meta.v1.Time': { type: 'string', format: 'date-time' },
  'apimachinery.pkg.apis.meta.v1.MicroTime': { type: 'string', format: 'micro-time' },
  'apimachinery.pkg.apis.meta.v1.Duration': { type: 'string', format: 'go-duration' },
  'apimachinery.pkg.apis.meta.v1.FieldsV1': { type: 'object', isOpen: true },
  'apimachinery.pkg.runtime.RawExtension': { type: 'object', isOpen: true },
  'apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON': {},
  'apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool': {},
  'apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray': {},
  'apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray': {},
};

/** Reads the named schemas of one document. Schemas that contain themselves refer to the enclosing one by `up`. */
export function openApiFacts(schemas, { isRequired, enums = {} }) {
  const resolve = (name, above) => {
    const short = name.replace(/^io\.k8s\.(?:kube-aggregator\.|)/, '');
    if (special[short]) return special[short];
    if (above.includes(name)) return { up: name };
    const found = factsOf(schemas[name], { above: [...above, name], name });
    return containsUp(found, name) ? { ...found, id: name } : found;
  };
  const factsOf = (schema, spot) => {
    const reference = schema.$ref ?? (schema.allOf?.length === 1 ? schema.allOf[0].$ref : undefined);
    if (reference !== undefined) return resolve(reference.split('/').at(-1), spot.above);
    const { type, format } = schema;
    const { values, isOfItems } = enums[spot.name] ?? {};
    const facts = {
      ...(type && { type }),
      ...(format && format !== 'double' && { format }),
      ...(values && !isOfItems && { enum: values }),
    };
    const required = (schema.required ?? []).filter((field) =>
      isRequired(spot.name, field, schema.properties?.[field]),
    );
    if (required.length > 0) facts.required = required.toSorted();
    if (schema.properties) {
      facts.properties = Object.fromEntries(
        Object.entries(schema.properties).map(([name, each]) => [
          name,
          factsOf(each, { ...spot, name: `${spot.name}.${name}` }),
        ]),
      );
    }
    if (schema.additionalProperties) facts.additionalProperties = factsOf(schema.additionalProperties, spot);
    if (schema.items) facts.items = factsOf(schema.items, { ...spot, name: '' });
    if (values && isOfItems) facts.items = { ...facts.items, enum: values };
    if (type === 'object' && !facts.properties && !facts.additionalProperties) facts.isOpen = true;
    return facts;
  };
  return (name) => resolve(name, []);
}

function containsUp(facts, name) {
  return JSON.stringify(facts).includes(`{"up":${JSON.stringify(name)}}`);
}
