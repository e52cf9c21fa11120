import type { Account } from './account.ts';
import type { Form } from './form.ts';
import { errorResponse, type StripeResponse } from './response.ts';

interface Request {
  readonly method: string;
  readonly path: string;
  readonly form: Form;
  readonly authorization: string | undefined;
  readonly version: string | undefined;
}

/** The version that this server is like. */
export const apiVersion = '2026-10-28.endive';

/**
 * Checks the API key and the API version. With a publishable key (https://docs.stripe.com/keys), which the page of the payer
 * knows, an intent can be retrieved and confirmed, if its client secret is given.
 * @returns undefined for a request that may be carried out
 */
export const rejectionOf = (request: Request, account: Account): StripeResponse | undefined => {
  const { version, authorization = '' } = request;
  if (version !== undefined && version !== apiVersion)
    return unauthorized(400, `Invalid Stripe API version: ${version}`);
  if (/^Bearer sk_\w+$/.test(authorization)) return undefined;
  if (/^Bearer rk_\w+$/.test(authorization)) return rejectionOfRestricted(request, account);
  if (!/^Bearer pk_\w+$/.test(authorization)) return unauthorized(401, 'Invalid API Key provided.');
  const [, id = '', rest] = /^\/v1\/payment_intents\/(\w+)(.*)$/.exec(request.path) ?? [];
  const isPayers = request.method === 'GET' ? rest === '' : rest === '/confirm';
  if (!isPayers) return unauthorized(403, 'This API call cannot be made with a publishable API key.');
  const secret = account.intents.get(id)?.clientSecret;
  return secret !== undefined && request.form.get('client_secret') === secret
    ? undefined
    : unauthorized(
        400,
        'The client_secret provided does not match any associated PaymentIntent on this account.',
      );
};

/** https://docs.stripe.com/keys/restricted-api-keys */
const rejectionOfRestricted = ({ method, path }: Request, { forbidden }: Account) =>
  forbidden.includes(`${method} ${path}`)
    ? unauthorized(
        403,
        'The provided key does not have the required permissions for this endpoint. Enabling them on this key would allow this request to continue.',
      )
    : undefined;

const unauthorized = (status: number, message: string): StripeResponse =>
  errorResponse(status, { type: 'invalid_request_error', message });
