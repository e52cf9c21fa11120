// @ts-nocheck
import { openApi, PorticoError } from '../api.ts';
import { field } from '../components/dialog.ts';
import { errorBox } from '../components/states.ts';
import { html, nothing } from '../lit.ts';
import { beginSignIn } from '../login/authorization-code.ts';
import { provider, providerName } from '../login/provider.ts';
import { notStaff, unknownUser } from '../login/token-errors.ts';

/** Only staff may read the list of users. */
const tryCredential = (key) => openApi(key, () => undefined).send('GET /users', { query: { limit: 1 } });

/** The shop has no place for the account. */
export class WrongAccountError extends Error {}

/** Tries the access token of an identity provider. @throws WrongAccountError, and errors of the API */
export const requireStaff = async (token) => {
  try {
    await tryCredential(token);
  } catch (error) {
    if (error.status === 401) throw new WrongAccountError(unknownUser(token, provider, providerName));
    if (error.status === 403) throw new WrongAccountError(notStaff(providerName));
    throw error;
  }
};

/**
 * Lets people sign in at the identity provider where there is one, or by a key of staff, which is tried.
 * @param asksAnew whether the provider must ask for the account again
 */
export const signInView = ({ why, asksAnew, demoKey, signIn, update }) => {
  let error = why === '' ? undefined : { message: why };
  let isTrying = false;

  const tryKey = async (key) => {
    error = undefined;
    isTrying = true;
    update();
    try {
      await tryCredential(key);
      signIn(key);
    } catch (caught) {
      error = { message: explain(caught) };
      isTrying = false;
      update();
    }
  };

  const begin = async () => {
    try {
      await beginSignIn({ asksAnew });
    } catch (caught) {
      error = caught;
      update();
    }
  };

  const submit = (event) => {
    event.preventDefault();
    const key = new FormData(event.target).get('key').trim();
    if (/^[\x21-\x7e]+$/.test(key)) tryKey(key);
    else {
      error = { message: 'A key has no spaces and only plain letters, digits and signs.' };
      update();
    }
  };

  const keyForm = (errorOfKey) => html`
    <form @submit=${submit}>
      ${field('Key', 'key', {
        type: 'password',
        required: true,
        hint: 'Your password for this page: it begins with ptc_, and the person who installed the shop gives it to you. It is kept in this tab only, until you close it.',
      })}
      ${errorOfKey ? errorBox(errorOfKey) : nothing}
      <button class=${provider ? '' : 'primary'} aria-disabled=${isTrying}>${isTrying ? 'Signing in …' : 'Sign in'}</button>
    </form>
  `;

  const providerForm = () => html`
    ${error ? errorBox(error) : nothing}
    ${
      provider.endpoints
        ? html`<button type="button" class="primary" @click=${begin}>Sign in with ${providerName}</button>`
        : html`<p>${providerName}, where you sign in, does not respond now.</p>
            <button type="button" class="primary" @click=${() => location.reload()}>Try again</button>`
    }
    <details><summary>Sign in with a key</summary>${keyForm()}</details>
  `;

  return {
    template: () => html`
      <main class="sign-in">
        <img src="/admin/assets/icon.svg" alt="" width="40" height="40" />
        <h1>Sign in to your shop</h1>
        ${provider ? providerForm() : keyForm(error)}
        ${demoKey ? html`<p>This is a demonstration. <button type="button" class="link" @click=${() => tryKey(demoKey)}>Sign in as its administrator</button></p>` : nothing}
      </main>
    `,
  };
};

const explain = (error) => {
  if (error instanceof PorticoError && error.status === 401) return 'This key is not known, or was revoked.';
  if (error instanceof PorticoError && error.status === 403)
    return 'This key is not one of staff, or may not read users and orders.';
  return error.message;
};
