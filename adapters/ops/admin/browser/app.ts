// @ts-nocheck
import { openApi } from './api.ts';
import { confirmAction } from './components/dialog.ts';
import { catchFocus } from './elements.ts';
import { confirmLeaving, recordArrival, restoreScroll } from './history.ts';
import { html, nothing, render } from './lit.ts';
import { finishSignIn } from './login/authorization-code.ts';
import { callback } from './login/callback.ts';
import { provider, providerName } from './login/provider.ts';
import { accessToken, forgetTokens, hasLogin, logOut, storeTokens } from './login/tokens.ts';
import { findRoute, parseHash } from './router.ts';
import { navigation, routes } from './routes.ts';
import { fetchDemoKey, forgetKey, storedKey, storeKey } from './session.ts';
import { requireStaff, signInView, WrongAccountError } from './views/sign-in.ts';

const root = document.querySelector('#app');
root.replaceChildren();
let api: unknown;
let view: unknown;
let closing = new AbortController();
let message = '';
let isMenuOpen = false;

/** Forgets key and tokens. The address stays, so that the next sign-in goes on there. */
const endSession = (options) => {
  closing.abort();
  forgetKey();
  forgetTokens();
  api = undefined;
  showSignIn(options);
};

const signOut = (why = '') => {
  if (!hasLogin()) return endSession({ why });
  const isLeaving = logOut();
  const stays = `You are signed out here, and may still be signed in at ${providerName}.`;
  endSession({ why: isLeaving ? '' : stays, asksAnew: true });
};

const signIn = (key) => {
  storeKey(key);
  api = openApi(key, () => endSession({ why: 'Your key is no longer valid.' }));
  message = '';
  openView();
};

const useLogin = () => {
  api = openApi(accessToken, () =>
    endSession({ why: 'Your sign-in has ended. Sign in again to go on where you were.' }),
  );
  message = '';
  openView();
};

const showSignIn = async ({ why = '', asksAnew = false }) => {
  document.title = 'Sign in · Portico';
  const demoKey = await fetchDemoKey();
  const draw = () => render(form.template(), root);
  const form = signInView({ why, asksAnew, demoKey, signIn, update: () => draw() });
  draw();
  // Where the identity provider comes first, the field is closed.
  root.querySelector('.sign-in > form input')?.focus();
};

/** Signs in with what the identity provider has sent, and tries it. */
const completeSignIn = async () => {
  document.title = 'Sign in · Portico';
  render(html`<p class="boot" role="status">Signing in …</p>`, root);
  try {
    const tokens = await finishSignIn(callback);
    await requireStaff(tokens.access_token);
    storeTokens(tokens);
    useLogin();
  } catch (error) {
    showSignIn({ why: error.message, asksAnew: error instanceof WrongAccountError });
  }
};

/** Opens the view of the address. What the one before was loading is abandoned. */
const openView = () => {
  if (api === undefined) return;
  closing.abort();
  closing = new AbortController();
  const { signal } = closing;
  isMenuOpen = false;
  const { path, query } = parseHash(location.hash);
  const route = findRoute(routes, path);
  const context = {
    ...{ api, signal, query, path, params: route?.params ?? {} },
    update: () => {
      if (!signal.aborted) scheduleDraw();
    },
    notify,
    signOut,
  };
  view = route === undefined ? { title: 'Not found', template: notFound } : route.view(context);
  recordArrival();
  draw();
  root.querySelector('h1')?.focus({ preventScroll: true });
};

let isDrawScheduled = false;
const scheduleDraw = () => {
  if (isDrawScheduled) return;
  isDrawScheduled = true;
  queueMicrotask(() => {
    isDrawScheduled = false;
    draw();
  });
};

const draw = () => {
  if (api === undefined) return;
  document.title = `${view.title} · Portico`;
  const hadFocus = document.activeElement !== document.body;
  render(frame(), root);
  if (hadFocus) catchFocus();
  restoreScroll();
};

let noticeTimer: unknown;
/** Tells in passing that something has happened. A long text stays as long as it takes to read. */
const notify = (text) => {
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
    <button type="button" class="skip" @click=${() => root.querySelector('main').focus()}>To the content</button>
    <div class="frame">
      <header class="side">
        <a class="brand" href="#/"><img src="/admin/assets/icon.svg" alt="" width="24" height="24" />Portico</a>
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

const navigationGroup = ({ title, links }, path) => html`
  <div class="links" role="group" aria-label=${title}>
    <span class="title" aria-hidden="true">${title}</span>
    ${links.map(([href, text]) => html`<a href="#${href}" aria-current=${isWithin(path, href) ? 'page' : 'false'}>${text}</a>`)}
  </div>
`;

const isWithin = (path, href) => path === href || (href !== '/' && path.startsWith(`${href}/`));

const toggleMenu = () => {
  isMenuOpen = !isMenuOpen;
  draw();
};

const notFound = () => html`<p>There is no such page. <a href="#/">Start again</a>.</p>`;

const hasUnsaved = () => api !== undefined && (view.hasUnsaved?.() ?? false);

/** @returns true when the view has nothing that is not saved, or a person gives it up */
const mayLose = async () => {
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
  if (await confirmLeaving(hasUnsaved, mayLose)) openView();
});
addEventListener('beforeunload', (event) => {
  if (hasUnsaved()) event.preventDefault();
});
const key = storedKey();
// A callback that this tab has not asked for changes nothing where one is signed in.
const isSignedIn = hasLogin() || key !== undefined;
if (provider !== undefined && callback !== undefined && (callback.verifier !== undefined || !isSignedIn))
  completeSignIn();
else if (hasLogin()) useLogin();
else if (key === undefined) showSignIn({});
else signIn(key);
