import { p } from '@mikro-orm/core';
import type { Failure } from '#domain/payment.ts';

/** What a provider says: how it calls the thing, or why it declined. */
export const verdict = () => ({
  provider_reference: p.text().strictNullable(),
  failure_code: p.text().strictNullable(),
  failure_message: p.text().strictNullable(),
});

interface Settled {
  readonly providerReference: string | null;
  readonly failure: Failure | null;
}

interface VerdictRow {
  readonly provider_reference: string | null;
  readonly failure_code: string | null;
  readonly failure_message: string | null;
}

export const rowOfVerdict = ({ providerReference, failure }: Settled): VerdictRow => ({
  provider_reference: providerReference,
  failure_code: failure?.code ?? null,
  failure_message: failure?.message ?? null,
});

export const verdictOfRow = (row: VerdictRow): Settled => ({
  providerReference: row.provider_reference,
  failure:
    row.failure_code === null || row.failure_message === null
      ? null
      : { code: row.failure_code, message: row.failure_message },
});
