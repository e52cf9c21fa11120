import { hash } from 'node:crypto';
import type { RawResponse } from './send-request.ts';

/** The parts of a response that are compared with its replays and with the rows. */
export interface ParsedResponse {
  readonly status: number;
  /** The error code. */
  readonly code: string | null;
  /** A hash of status and body, without the request id of an error, and without `next_action`: both differ in each replay. */
  readonly digest: string;
  /** The resource in the body, if any. */
  readonly subject: Subject | null;
}

export interface Subject {
  readonly id: string;
  readonly status: string | null;
  /** In minor units: of a payment or refund, or the total of an order or item. */
  readonly amount: number | null;
  readonly reference: string | null;
  /** Of an order. */
  readonly itemCount: number | null;
}

/** Whether a retry would get the same response. */
export const isFinal = ({ status, code }: Pick<ParsedResponse, 'status' | 'code'>): boolean =>
  status < 500 && status !== 429 && code !== 'IDEMPOTENCY_KEY_IN_PROGRESS';

export const parseResponse = ({ status, text }: Pick<RawResponse, 'status' | 'text'>): ParsedResponse => {
  const body = parse(text);
  const requestId = typeof body.request_id === 'string' ? JSON.stringify(body.request_id) : undefined;
  const lasting = (requestId === undefined ? text : text.replace(requestId, '""')).replace(
    /"next_action":\{[^{}]*\}/,
    '"next_action":null',
  );
  return {
    status,
    code: body.error?.code ?? null,
    digest: hash('sha256', `${status}\n${lasting}`, 'base64'),
    subject: body.data === undefined ? null : subjectOf(body.data),
  };
};

/** The created resource, if one was created. */
export const createdSubject = ({ status, subject }: ParsedResponse): Subject | undefined =>
  status === 201 && subject ? subject : undefined;

export const describeResponse = ({ status, code, subject }: ParsedResponse): string =>
  [status, code, subject && `${subject.id} ${subject.status ?? ''}`].filter(Boolean).join(' ').trim();

interface Body {
  readonly request_id?: unknown;
  readonly error?: { readonly code: string };
  readonly data?: Data;
}

interface Data {
  readonly id: string;
  readonly status?: string;
  readonly amount?: { readonly amount: number };
  readonly total?: { readonly amount: number };
  readonly provider_reference?: string | null;
  readonly item_count?: number;
}

/** A body that is no JSON has no fields; its digest still differs. */
const parse = (text: string): Body => {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return {};
  }
};

const subjectOf = ({ id, status, amount, total, provider_reference, item_count }: Data): Subject => ({
  id,
  status: status ?? null,
  amount: (amount ?? total)?.amount ?? null,
  reference: provider_reference ?? null,
  itemCount: item_count ?? null,
});
