import type { ParsedWebhook, ProviderObject, ProviderWebhook } from '#application/ports/charge-lifecycle.ts';

const header = 'signature';

/** An event on its way to the shop. A signature is a word here: what it is worth is tested with the adapters. */
export const messageOf = ({
  kind,
  reference,
  isSigned,
}: ProviderObject & { readonly isSigned: boolean }): ProviderWebhook => ({
  body: Buffer.from(JSON.stringify({ kind, reference })),
  headers: { [header]: isSigned ? 'valid' : 'forged' },
});

export const readMessage = async ({ body, headers }: ProviderWebhook): Promise<ParsedWebhook> =>
  headers[header] === 'valid' ? [JSON.parse(Buffer.from(body).toString())] : 'forged';
