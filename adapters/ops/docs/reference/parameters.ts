import type { Document, Parameter, Response } from './document.ts';
import { type Field, fieldOf } from './fields.ts';

/** A parameter describes its effect here, and its schema its values. */
export const parameterField = (
  document: Document,
  { name, schema, required = false, description }: Parameter,
): Field => {
  const field = fieldOf(document, name, schema, required);
  const texts = new Set([description ?? '', field.description]);
  return { ...field, description: [...texts].join(' ').trim() };
};

/** The headers of a response as fields. */
export const headerFields = (document: Document, headers: Response['headers']): readonly Field[] =>
  headers.map(({ name, schema, description = '', required = false }) => ({
    ...fieldOf(document, name, schema, required),
    description,
  }));
