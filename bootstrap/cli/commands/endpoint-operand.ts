import type { Application } from '#application/application.ts';
import { DomainError } from '#domain/errors.ts';
import { Id } from '#domain/resource.ts';
import type { WebhookEndpoint, WebhookEndpointId } from '#domain/webhooks/endpoint.ts';
import { required } from '../framework/command.ts';

/** The operand of commands about one webhook endpoint. */
export const endpointId = required('ENDPOINT', {
  description: "The endpoint's ID, as shown by portico webhooks list.",
  expects: 'the ID of an endpoint, as shown by portico webhooks list',
  parse: (text) => Id.parse<WebhookEndpointId>(text),
});

/** @throws DomainError 'not-found' */
export const requireEndpoint = async (
  id: WebhookEndpointId,
  { unitOfWork }: Pick<Application, 'unitOfWork'>,
): Promise<WebhookEndpoint> => {
  const endpoint = await unitOfWork.read(({ webhookEndpoints }) => webhookEndpoints.find(id));
  if (endpoint === undefined)
    throw new DomainError(
      'not-found',
      `There is no webhook endpoint ${id}. portico webhooks list shows all.`,
    );
  return endpoint;
};
