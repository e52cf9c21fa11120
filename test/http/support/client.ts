import { type Conformance, requireConformance } from './conformance.ts';

/** JSON of any shape. */
// biome-ignore lint/suspicious/noExplicitAny: tests read fields of a response before its type is known
export type Json = any;

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
  /** The body to the byte. */
  readonly text: string;
}

type HeaderValues = Readonly<Record<string, string>>;

/** Calls a service over a real socket. It checks each request and response against the API's OpenAPI document. */
export class Client {
  readonly #base: () => string;
  readonly #conform: Conformance;
  readonly token: string | undefined;

  /** @param conform the check of each request and response; by default against the document of the API */
  constructor(base: () => string, token: string | undefined, conform = requireConformance) {
    this.#base = base;
    this.#conform = conform;
    this.token = token;
  }

  /** The URL of the service. */
  get base(): string {
    return this.#base();
  }

  /** @param body sent as JSON unless it is a string or bytes; undefined for no body */
  async send(method: string, path: string, body?: unknown, headers: HeaderValues = {}): Promise<ApiResponse> {
    const request = {
      method,
      redirect: 'manual' as const,
      headers: {
        ...(this.token === undefined ? {} : { Authorization: `Bearer ${this.token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: raw(body) }),
    };
    const response = await fetch(`${this.#base()}${path}`, request);
    const text = await response.text();
    const isJson = text !== '' && response.headers.get('Content-Type')?.startsWith('application/json');
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    };
    const sent = { method, address: path, headers: new Headers(request.headers), body: request.body };
    this.#conform(sent, answer);
    return answer;
  }

  get(path: string, headers?: HeaderValues): Promise<ApiResponse> {
    return this.send('GET', path, undefined, headers);
  }

  post(path: string, body: unknown, headers?: HeaderValues): Promise<ApiResponse> {
    return this.send('POST', path, body, headers);
  }

  put(path: string, body: unknown, headers?: HeaderValues): Promise<ApiResponse> {
    return this.send('PUT', path, body, headers);
  }

  patch(path: string, body: unknown, headers?: HeaderValues): Promise<ApiResponse> {
    return this.send('PATCH', path, body, headers);
  }

  delete(path: string, headers?: HeaderValues): Promise<ApiResponse> {
    return this.send('DELETE', path, undefined, headers);
  }
}

const raw = (body: unknown): string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array
    ? (body as string | Uint8Array<ArrayBuffer>)
    : JSON.stringify(body);
