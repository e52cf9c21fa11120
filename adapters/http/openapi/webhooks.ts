import type { Schema } from '#adapters/wire/codec.ts';
import { exampleOf, withReferences } from './schemas.ts';

const header = (name: string, schema: Schema, description: string) => ({
  ...{ name, in: 'header', required: true, description, schema },
});

const standard = 'as [Standard Webhooks 1.0](https://www.standardwebhooks.com) has it';

/**
 * The requests that Portico sends to webhook endpoints (OpenAPI 3.1, section 4.8.1.1).
 * @param body the schema of the body
 * @param tag of the endpoints
 */
export const webhooks = (body: Schema, tag: string) => ({
  event: {
    post: {
      operationId: 'receiveEvent',
      tags: [tag],
      summary: 'An event, sent to a webhook endpoint',
      description:
        'Verify the signature, store the event, and respond within 15 seconds; then process it. Every event arrives at least once: drop one whose `webhook-id` you have seen. Redirects are not followed, and the body of your response is not read.',
      security: [],
      parameters: [
        header(
          'webhook-id',
          { type: 'string', format: 'uuid', minLength: 36, maxLength: 36, examples: [idOf(body)] },
          'The id of the event, the same in each attempt.',
        ),
        header(
          'webhook-timestamp',
          { type: 'string', pattern: '^[0-9]+$', maxLength: 20, examples: ['1772366400'] },
          'When this attempt was made, in seconds since 1970. It is signed.',
        ),
        header(
          'webhook-signature',
          {
            type: 'string',
            pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$',
            maxLength: 200,
            examples: [`v1,${'x'.repeat(42)}w=`],
          },
          `The signature, ${standard}. During a rotation one for each secret, separated by spaces.`,
        ),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: withReferences(body), example: exampleWithout(body) } },
      },
      responses: {
        '2XX': {
          description: 'You have the event. Any other status is a failure, and the event is sent again.',
        },
        410: { description: 'Nothing must be sent to this URL any more: the endpoint is disabled.' },
      },
    },
  },
});

const idOf = ({ properties }: Schema): unknown => properties?.['id'] && exampleOf(properties['id']);

/** An example without the fields that few events have. */
const exampleWithout = ({ properties = {}, ...body }: Schema): unknown =>
  exampleOf({
    ...body,
    properties: Object.fromEntries(
      Object.entries(properties).filter(([, field]) => field['x-example-omitted'] !== true),
    ),
  });
