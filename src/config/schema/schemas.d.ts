/** docs/*.schema.json. A test compares them with the zod schemas. */
declare module '#schemas/*' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-imports -- an ambient module cannot import by a relative path
  const fields: import('../../formats/field-schema.js').FieldSchema;
  export default fields;
}
