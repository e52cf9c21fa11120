import type { FormField, RequestForm } from '../samples/form.ts';
import { type Document, type Operation, type Parameter, resolveSchema, type Schema } from './document.ts';

/**
 * The form of an operation's request. Filters start empty, and bodies with the required fields only: optional ones would name
 * what does not exist.
 */
export const requestForm = (document: Document, operation: Operation): RequestForm => {
  const { id: operationId, method, path, parameters, body } = operation;
  return {
    ...{ operationId, method, path },
    fields: parameters.map((parameter) => formField(document, parameter)),
    ...(body !== undefined && { body: requiredPart(document, body.example, body.schema) }),
  };
};

const formField = (document: Document, parameter: Parameter): FormField => {
  const { name, required: isRequired = false } = parameter;
  const schema = resolveSchema(document, parameter.schema);
  return {
    ...{ in: parameter.in, name, isRequired },
    isNumber: schema.type === 'integer' || schema.type === 'number',
    values: (schema.enum ?? []).map(String),
    example: String(sampleOf(document, schema)),
  };
};

/** Of several forms of a value, the first. */
const firstForm = (document: Document, schema: Schema): Schema => {
  const { anyOf: [first] = [], ...rest } = resolveSchema(document, schema);
  return first === undefined ? rest : { ...firstForm(document, first), ...rest };
};

/** The required fields of an example; the first field where none is required. */
const requiredPart = (document: Document, example: unknown, schema: Schema): unknown => {
  const { required = [], properties = {} } = firstForm(document, schema);
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  const values = new Map(Object.entries(example ?? {}));
  return Object.fromEntries(
    names.map((name) => [name, values.get(name) ?? sampleOf(document, properties[name] ?? {})]),
  );
};

/** A value that fits a schema. */
const sampleOf = (document: Document, described: Schema): unknown => {
  const schema = firstForm(document, described);
  const { type, properties, required = Object.keys(properties ?? {}) } = schema;
  const example = schema.examples?.[0] ?? schema.const ?? schema.default ?? schema.enum?.[0];
  if (example !== undefined) return example;
  if (properties !== undefined)
    return Object.fromEntries(required.map((name) => [name, sampleOf(document, properties[name] ?? {})]));
  return { integer: 1, number: 1, boolean: true, array: [], null: null }[[type].flat()[0] ?? ''] ?? '';
};
