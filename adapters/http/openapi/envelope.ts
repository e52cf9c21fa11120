import type { Schema } from '#adapters/wire/json-schema.ts';
import { type ErrorCode, errorCatalogue } from './error-catalogue.ts';
import { headers } from './headers.ts';
import { exampleOf, strictObjectSchema } from './schemas.ts';

const fieldErrorSchema: Schema = {
  title: 'FieldFault',
  ...strictObjectSchema({
    field: {
      type: 'string',
      maxLength: 102_400,
      description: 'The field at fault, as the request named it; nested ones are dotted.',
    },
    message: { type: 'string', maxLength: 1_000, pattern: '^.+$', description: 'What is wrong with it.' },
  }),
};

/** The body of a refusal with one of these codes. */
export const envelopeOf = (codesOfIt: readonly ErrorCode[]): Schema =>
  strictObjectSchema({
    error: {
      type: 'object',
      properties: {
        code: { type: 'string', enum: codesOfIt, description: 'Which refusal it is: the word to switch on.' },
        message: {
          type: 'string',
          maxLength: 5_000,
          pattern: '^[^\\u0000]+$',
          description: 'For people. It may be reworded.',
        },
        details: {
          type: 'array',
          items: fieldErrorSchema,
          maxItems: 100,
          description: 'There when fields are at fault.',
        },
      },
      required: ['code', 'message'],
      additionalProperties: false,
    },
    request_id: { ...headers['X-Request-Id'].schema, description: 'Quote it when you ask for help.' },
  });

/** Each code as a client meets it, and what it is to do then. */
export const errorExamples = (codesOfAll: readonly ErrorCode[]) =>
  Object.fromEntries(
    codesOfAll.map((code) => {
      const { advice: remedy, message, details } = errorCatalogue[code];
      const error = { code, message, ...(details && { details }) };
      return [
        code,
        { summary: remedy, value: { error, request_id: exampleOf(headers['X-Request-Id'].schema) } },
      ];
    }),
  );
