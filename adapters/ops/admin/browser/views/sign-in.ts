import { openApi, PorticoError } from '../api.ts';
import { field } from '../components/dialog.ts';
import { errorBox } from '../components/states.ts';
import { formOf, textOf, valuesOf } from '../elements.ts';
import { errorOf, type ShownError } from '../errors.ts';
import { html, nothing } from '../lit.ts';
import { beginSignIn } from '../login/authorization-code.ts';
import { provider, providerName, requireProvider } from '../login/provider.ts';
import { notStaff, unknownUser } from '../login/token-errors.ts';
import type { Credential } from '../resources.ts';
import type { View } from '../view.ts';

const icon = new URL('../icon.svg', import.meta.url).href;

/** Who may sign in to the admin page: staff and administrators, because only they may read the list of users. */
const tryCredential = (key: Credential) =>
  openApi(key, () => undefined).send('GET /users', { query: { limit: 1 } });

/** The shop has no place for the account. */
export class WrongAccountError extends Error {}

/** Tries the access token of an identity provider. @throws WrongAccountError, and errors of the API */
export const requireStaff = async (token: string): Promise<void> => {
  try {
    await tryCredential(token);
  } catch (error) {
    const { status } = errorOf(error);
    if (status === 401) throw new WrongAccountError(unknownUser(token, requireProvider(), providerName));
    if (status === 403) throw new WrongAccountError(notStaff(providerName));
    throw error;
  }
};

interface SignIn {
  /** Why a person has to; '' where that is plain. */
  readonly why: string;
  /** Whether the provider must ask for the account again. */
  readonly asksAgain: boolean;
  readonly demoKey: string | undefined;
  readonly signIn: (key: string) => void;
  readonly update: () => void;
}

/** Lets people sign in at the identity provider where there is one, or by a key of staff, which is tried. */
export const signInView = ({ why, asksAgain, demoKey, signIn, update }: SignIn): Pick<View, 'template'> => {
  let error: ShownError | undefined = why === '' ? undefined : { message: why };
  let isTrying = false;

  const tryKey = async (key: string): Promise<void> => {
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
      await beginSignIn({ asksAgain });
    } catch (caught) {
      error = errorOf(caught);
      update();
    }
  };

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const key = textOf(valuesOf(formOf(event)), 'key');
    if (/^[\x21-\x7e]+$/.test(key)) tryKey(key);
    else {
      error = { message: 'A key has no spaces and only plain letters, digits and signs.' };
      update();
    }
  };

  const keyForm = (errorOfKey?: ShownError) => html`
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
      provider?.endpoints
        ? html`<button type="button" class="primary" @click=${begin}>Sign in with ${providerName}</button>`
        : html`<p>${providerName}, where you sign in, does not respond now.</p>
            <button type="button" class="primary" @click=${() => location.reload()}>Try again</button>`
    }
    <details><summary>Sign in with a key</summary>${keyForm()}</details>
  `;

  return {
    template: () => html`
      <main class="sign-in">
        <img src=${icon} alt="" width="40" height="40" />
        <h1>Sign in to your shop</h1>
        ${provider ? providerForm() : keyForm(error)}
        ${demoKey ? html`<p>This is a demonstration. <button type="button" class="link" @click=${() => tryKey(demoKey)}>Sign in as its administrator</button></p>` : nothing}
      </main>
    `,
  };
};

const explain = (error: unknown): string => {
  if (error instanceof PorticoError && error.status === 401) return 'This key is not known, or was revoked.';
  if (error instanceof PorticoError && error.status === 403)
    return 'This key is not one of staff, or may not read users and orders.';
  return errorOf(error).message;
};
