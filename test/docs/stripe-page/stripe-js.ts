import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { Page, Route } from 'playwright-core';
import type { StripeServer } from '../../stripe/stripe-server.ts';
import { frictionlessCard, testCards } from './cards.ts';

const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' };

/** What the dialog of the bank ends with. */
const acts = {
  consents: (stripe: StripeServer, intent: string) => stripe.consent(intent),
  refuses: (stripe: StripeServer, intent: string) => stripe.refuse(intent),
  // Stripe.js takes a closed dialog for a failed authentication.
  closes: (stripe: StripeServer, intent: string) => stripe.refuse(intent),
};

const withoutSpaces = (number: string): string => number.replaceAll(' ', '');

/**
 * Serves a page what it loads from Stripe: the stand-in for Stripe.js, its calls, which go to the server of the tests, and the
 * page of the bank that a redirect leads to. Nothing leaves the machine.
 */
export const serveStripe = async (page: Page, stripe: StripeServer): Promise<void> => {
  let isFrictionless = false;

  const createPaymentMethod = (form: URLSearchParams) => {
    const number = form.get('card[number]');
    isFrictionless = number === withoutSpaces(frictionlessCard);
    const id = isFrictionless
      ? 'pm_card_authenticationRequired'
      : testCards.find((card) => withoutSpaces(card.number) === number)?.method;
    return id ? { id, object: 'payment_method' } : { error: { message: 'Your card number is invalid.' } };
  };

  const answer = async (route: Route): Promise<unknown> => {
    const { pathname, search } = new URL(route.request().url());
    const form = new URLSearchParams(route.request().postData() ?? '');
    if (pathname === '/v1/payment_methods') return createPaymentMethod(form);
    const [, intent = ''] = /^\/v1\/payment_intents\/(\w+)\/stand_in$/.exec(pathname) ?? [];
    if (intent !== '') return acts[form.get('does') as keyof typeof acts](stripe, intent);
    const { authorization = '' } = await route.request().allHeaders();
    const response = await fetch(`${stripe.url}${pathname}${search}`, { headers: { authorization } });
    return { ...((await response.json()) as object), stand_in_frictionless: isFrictionless };
  };

  await page.route('https://js.stripe.com/**', (route) => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? '';
    const body = readFileSync(new URL(name, import.meta.url), 'utf8');
    return route.fulfill({ contentType: types[extname(name)] ?? '', body });
  });
  await page.route('https://api.stripe.com/**', async (route) => {
    const json = (await answer(route)) ?? {};
    return route.fulfill({ json, headers: { 'Access-Control-Allow-Origin': '*' } });
  });
  await page.route('https://hooks.stripe.com/**', async (route) => {
    const { searchParams } = new URL(route.request().url());
    const id = searchParams.get('payment_intent') ?? '';
    const headers = { authorization: 'Bearer sk_test_standin' };
    const response = await fetch(`${stripe.url}/v1/payment_intents/${id}`, { headers });
    const { next_action } = (await response.json()) as {
      next_action: { redirect_to_url: { return_url: string } };
    };
    const back = new URL(next_action.redirect_to_url.return_url);
    for (const [name, value] of searchParams) back.searchParams.set(name, value);
    back.searchParams.set('redirect_status', 'succeeded');
    await stripe.consent(id);
    return route.fulfill({ contentType: 'text/html', body: `<a href="${back}">Back to the shop</a>` });
  });
};
