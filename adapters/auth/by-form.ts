import type { Authenticator } from '#application/ports/authenticator.ts';
import { hasTokenForm } from './token-form.ts';

/** Asks the one of two who knows credentials of this form. */
export const byForm = (keys: Authenticator, tokens: Authenticator): Authenticator => ({
  authenticate: (text) => (hasTokenForm(text) ? tokens : keys).authenticate(text),
});
