import type { ApiResponse, Json } from '../../support/client.ts';
import type { Fault } from '../route-shop.ts';
import type { Request } from '../samples.ts';

/** What a route would do wrong, as its clients see it, and the rule by whose title it must fail. */
export type WrongRoute = readonly [fault: string, target: string, rule: string, wrong?: Fault];

/** The route takes another request than the one that was sent. */
export const taking =
  (change: (request: Request) => Partial<Request>): Fault =>
  (send) =>
  (request) =>
    send({ ...request, ...change(request) });

/** The route responds otherwise. */
export const responding =
  (change: (response: ApiResponse, request: Request) => Partial<ApiResponse>): Fault =>
  (send) =>
  async (request) => {
    const response = await send(request);
    return { ...response, ...change(response, request) };
  };

export const withHeader = ({ headers }: ApiResponse, name: string, value?: string): Partial<ApiResponse> => {
  const changed = new Headers(headers);
  changed.delete(name);
  if (value !== undefined) changed.set(name, value);
  return { headers: changed };
};

export const withoutHeader = ({ headers = {} }: Request, unwanted: string): Partial<Request> => ({
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== unwanted)),
});

export const withBody = (body: Json): Partial<ApiResponse> => ({ body, text: JSON.stringify(body) });

/** Without the parameters that have such a name and value. */
export const withoutParameters = (isUnwanted: (name: string, value: string) => boolean): Fault =>
  taking(({ address }) => {
    const [path, query] = address.split('?');
    const rest = [...new URLSearchParams(query)].filter(([name, value]) => !isUnwanted(name, value));
    return { address: `${path}?${new URLSearchParams(rest)}` };
  });

export const withParameters = (change: (query: string) => string): Fault =>
  taking(({ address }) => {
    const [path, query = ''] = address.split('?');
    return { address: `${path}?${change(query)}` };
  });
