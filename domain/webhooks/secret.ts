/** The beginning of the secret of a webhook endpoint (Standard Webhooks 1.0). */
const prefix = 'whsec_';

/** How much of a secret is shown. Its other letters stand for more than 200 bits. */
const shownLetters = 4;

export const WebhookSecret = {
  /** @param base64 of 32 random bytes */
  of: (base64: string): string => `${prefix}${base64}`,

  base64Of: (secret: string): string => secret.slice(prefix.length),

  /** The beginning of a secret, by which people distinguish two: `whsec_MfKQ…`. */
  hintOf: (secret: string): string => `${secret.slice(0, prefix.length + shownLetters)}…`,
};
