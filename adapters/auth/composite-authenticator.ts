import type { Authenticator } from '#application/ports/authenticator.ts';
import { hasTokenForm } from './jwt-pattern.ts';

const odd =
  'It is no API key, and no token either: those have three parts, of which the first begins with eyJ.';

/**
 * Asks the one of two who knows credentials of this form.
 * @param refused told why somebody is not known who shows what is neither
 */
export const byForm = (
  keys: Authenticator,
  tokens: Authenticator,
  refused: (reason: string) => void,
): Authenticator => ({
  authenticate: (text) => {
    if (hasTokenForm(text)) return tokens.authenticate(text);
    const caller = keys.authenticate(text);
    // No key of ours has a dot in it, though one that somebody has chosen may.
    if (text.includes('.')) {
      Promise.resolve(caller).then(
        (known) => known ?? refused(odd),
        () => undefined,
      );
    }
    return caller;
  },
});
