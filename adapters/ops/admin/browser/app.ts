import { type Api, openApi } from './api.ts';
import { confirmAction } from './components/dialog.ts';
import { catchFocus, find } from './elements.ts';
import { errorOf } from './errors.ts';
import { confirmNavigation, recordArrival, restoreScroll } from './history.ts';
import { html, nothing, render } from './lit.ts';
import { finishSignIn } from './login/authorization-code.ts';
import { type Callback, callback } from './login/callback.ts';
import { provider, providerName } from './login/provider.ts';
import { accessToken, forgetTokens, hasLogin, logOut, storeTokens } from './login/tokens.ts';
import { findRoute, parseHash } from './router.ts';
import { type LinkGroup, navigation, routes } from './routes.ts';
import { fetchDemoKey, forgetKey, storedKey, storeKey } from './session.ts';
import type { Context, View } from './view.ts';
import { requireStaff, signInView, WrongAccountError } from './views/sign-in.ts';

/** Under the name of the release, as the page names it, so that it is loaded once. */
const icon = new URL('icon.svg', import.meta.url).href;
const root = find(document, '#app', HTMLElement);
root.replaceChildren();
let api: Api | undefined;
let view: View = { title: '', template: () => nothing };
let closing = new AbortController();
let message = '';
let isMenuOpen = false;

/** Why a person is asked to sign in, and whether the provider must ask for the account again. */
interface SignInReason {
  readonly why?: string;
  readonly asksAgain?: boolean;
}

/** Forgets key and tokens. The address stays, so that the next sign-in goes on there. */
const endSession = (options: SignInReason): void => {
  closing.abort();
  forgetKey();
  forgetTokens();
  api = undefined;
  showSignIn(options);
};

const signOut = (why = ''): void => {
  if (!hasLogin()) {
    endSession({ why });
    return;
  }
  const isNavigating = logOut();
  const stays = `You are signed out here, and may still be signed in at ${providerName}.`;
  endSession({ why: isNavigating ? '' : stays, asksAgain: true });
};

const signIn = (key: string): void => {
  storeKey(key);
  api = openApi(key, () => endSession({ why: 'Your key is no longer valid.' }));
  message = '';
  openView();
};

const useLogin = (): void => {
  api = openApi(accessToken, () =>
    endSession({ why: 'Your sign-in has ended. Sign in again to go on where you were.' }),
  );
  message = '';
  openView();
};

const showSignIn = async ({ why = '', asksAgain = false }: SignInReason): Promise<void> => {
  document.title = 'Sign in · Portico';
  const demoKey = await fetchDemoKey();
  const draw = (): void => {
    render(form.template(), root);
  };
  const form = signInView({ why, asksAgain, demoKey, signIn, update: () => draw() });
  draw();
  // Where the identity provider comes first, the field is closed.
  root.querySelector<HTMLElement>('.sign-in > form input')?.focus();
};

/** Signs in with what the identity provider has sent, and tries it. */
const completeSignIn = async (received: Callback): Promise<void> => {
  document.title = 'Sign in · Portico';
  render(html`<p class="boot" role="status">Signing in …</p>`, root);
  try {
    const tokens = await finishSignIn(received);
    await requireStaff(tokens.access_token);
    storeTokens(tokens);
    useLogin();
  } catch (error) {
    showSignIn({ why: errorOf(error).message, asksAgain: error instanceof WrongAccountError });
  }
};

/** Opens the view of the address. What the one before was loading is abandoned. */
const openView = (): void => {
  if (api === undefined) return;
  closing.abort();
  closing = new AbortController();
  const { signal } = closing;
  isMenuOpen = false;
  const { path, query } = parseHash(location.hash);
  const route = findRoute(routes, path);
  const context: Context = {
    ...{ api, signal, query, path, params: { id: route?.params['id'] ?? '' } },
    update: () => {
      if (!signal.aborted) scheduleDraw();
    },
    notify,
    signOut,
  };
  view = route === undefined ? { title: 'Not found', template: notFound } : route.view(context);
  recordArrival();
  draw();
  root.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
};

let isDrawScheduled = false;
const scheduleDraw = (): void => {
  if (isDrawScheduled) return;
  isDrawScheduled = true;
  queueMicrotask(() => {
    isDrawScheduled = false;
    draw();
  });
};

const draw = (): void => {
  if (api === undefined) return;
  document.title = `${view.title} · Portico`;
  const hadFocus = document.activeElement !== document.body;
  render(frame(), root);
  if (hadFocus) catchFocus();
  restoreScroll();
};

let noticeTimer: ReturnType<typeof setTimeout> | undefined;
/** Shows a text in passing. A long one stays as long as it takes to read. */
const notify = (text: string): void => {
  clearTimeout(noticeTimer);
  message = text;
  const shownMs = Math.max(6_000, text.length * 80);
  noticeTimer = setTimeout(() => {
    message = '';
    draw();
  }, shownMs);
  draw();
};

const frame = () => {
  const { path } = parseHash(location.hash);
  return html`
    <button type="button" class="skip" @click=${() => find(root, 'main', HTMLElement).focus()}>To the content</button>
    <div class="frame">
      <header class="side">
        <a class="brand" href="#/"><img src=${icon} alt="" width="24" height="24" />Portico</a>
        <button type="button" class="menu" aria-expanded=${isMenuOpen} aria-controls="menu" @click=${toggleMenu}>Menu</button>
        <nav id="menu" aria-label="Admin" class=${isMenuOpen ? 'open' : ''}>
          ${navigation.map((group) => navigationGroup(group, path))}
          <button type="button" class="link" @click=${async () => (await mayLose()) && signOut()}>Sign out</button>
        </nav>
      </header>
      <main tabindex="-1">
        <h1 tabindex="-1">${view.title}</h1>
        ${view.template()}
      </main>
    </div>
    <div class="notice" role="status">${message === '' ? nothing : html`<p>${message}</p>`}</div>
  `;
};

const navigationGroup = ({ title, links }: LinkGroup, path: string) => html`
  <div class="links" role="group" aria-label=${title}>
    <span class="title" aria-hidden="true">${title}</span>
    ${links.map(([href, text]) => html`<a href="#${href}" aria-current=${isWithin(path, href) ? 'page' : 'false'}>${text}</a>`)}
  </div>
`;

const isWithin = (path: string, href: string): boolean =>
  path === href || (href !== '/' && path.startsWith(`${href}/`));

const toggleMenu = (): void => {
  isMenuOpen = !isMenuOpen;
  draw();
};

const notFound = () => html`<p>There is no such page. <a href="#/">Start again</a>.</p>`;

const hasUnsaved = (): boolean => api !== undefined && (view.hasUnsaved?.() ?? false);

/** @returns true when the view has nothing that is not saved, or a person gives it up */
const mayLose = async (): Promise<boolean> => {
  if (!hasUnsaved()) return true;
  const isGivenUp = await confirmAction({
    title: 'Leave without saving?',
    text: 'What you have changed here is not saved, and would be lost.',
    confirm: 'Leave without saving',
    ...view.question,
    ...{ back: 'Stay here', isDangerous: true },
    run: async () => true,
  });
  if (isGivenUp) view.hasUnsaved = undefined;
  return isGivenUp ?? false;
};

addEventListener('hashchange', async () => {
  if (await confirmNavigation(hasUnsaved, mayLose)) openView();
});
addEventListener('beforeunload', (event) => {
  if (hasUnsaved()) event.preventDefault();
});
const key = storedKey();
// A callback that this tab has not asked for changes nothing where one is signed in.
const isSignedIn = hasLogin() || key !== undefined;
if (provider !== undefined && callback !== undefined && (callback.verifier !== undefined || !isSignedIn))
  completeSignIn(callback);
else if (hasLogin()) useLogin();
else if (key === undefined) showSignIn({});
else signIn(key);
