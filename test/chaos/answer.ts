import { hash } from 'node:crypto';
import type { Answer } from './call.ts';

/** What is kept of a final answer: enough to know it again, and to hold it against the rows. */
export interface Said {
  readonly status: number;
  /** Of a refusal. */
  readonly code: string | null;
  /** Of the status and the body; a refusal's request id is the retry's own, and no part of it. */
  readonly digest: string;
  /** What the answer was about, when there was such a thing. */
  readonly subject: Subject | null;
}

export interface Subject {
  readonly id: string;
  readonly status: string | null;
  /** Minor units: what a payment or refund moves, what an order or item costs, what of a product is left. */
  readonly amount: number | null;
  readonly reference: string | null;
}

/** An answer that was not final leaves the client where it was. */
export const isFinal = ({ status, code }: Pick<Said, 'status' | 'code'>): boolean =>
  status < 500 && status !== 429 && code !== 'IDEMPOTENCY_KEY_IN_PROGRESS';

export const read = ({ status, text }: Pick<Answer, 'status' | 'text'>): Said => {
  const body = parse(text);
  const requestId = typeof body.request_id === 'string' ? JSON.stringify(body.request_id) : undefined;
  const lasting = requestId === undefined ? text : text.replace(requestId, '""');
  return {
    status,
    code: body.error?.code ?? null,
    digest: hash('sha256', `${status}\n${lasting}`, 'base64'),
    subject: body.data === undefined ? null : subjectOf(body.data),
  };
};

/** What was made, when something was. */
export const made = ({ status, subject }: Said): Subject | undefined =>
  status === 201 && subject ? subject : undefined;

export const describe = ({ status, code, subject }: Said): string =>
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
}

/** What is no JSON says nothing, and its digest tells it from what does. */
const parse = (text: string): Body => {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return {};
  }
};

const subjectOf = ({ id, status, amount, total, provider_reference }: Data): Subject => ({
  id,
  status: status ?? null,
  amount: (amount ?? total)?.amount ?? null,
  reference: provider_reference ?? null,
});
