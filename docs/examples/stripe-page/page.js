import { follow, mountFields, pay } from './pay.js';

// The address of your server.
const api = 'http://127.0.0.1:3000/v1';
const orderId = new URLSearchParams(location.search).get('order');
const [signIn, checkout, message] = document.querySelectorAll('#sign-in, #checkout, #message');
let [order, elements] = [];

const texts = {
  pending: 'Your payment is being sent.',
  requires_action: 'Please confirm the payment with your bank.',
  processing: 'Your bank is still deciding. You can close this page: the order is paid as soon as it agrees.',
  authorized: 'Thank you. Your card is charged when the order leaves.',
  succeeded: 'Thank you. Your order is paid.',
  failed: 'Nothing was charged. Try again, or use another card.',
  canceled: 'Nothing was charged. You can pay again.',
};

/** Sends a request with the customer's token, and repeats it with the same key until its response is final. */
const send = async (path, body, key = '') => {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key };
  headers.Authorization = `Bearer ${signIn.elements.token.value}`;
  const request = body ? { method: 'POST', body: JSON.stringify(body), headers } : { headers };
  for (let pauseMs = 1000; ; pauseMs = Math.min(pauseMs * 2, 30_000)) {
    const response = await fetch(api + path, request).catch(() => undefined);
    const { data, error } = (await response?.json()) ?? { error: { code: 'UNAVAILABLE' } };
    if (!error) return data;
    if (!/IN_PROGRESS|RATE_LIMITED|UPSTREAM|UNAVAILABLE|INTERNAL/.test(error.code))
      throw new Error(error.message);
    message.textContent = 'This takes longer than usual. Please stay on this page.';
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
};

/** An amount is a whole number of the smallest unit of its currency. */
const price = ({ amount, currency }) => {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.format(amount / 10 ** format.resolvedOptions().maximumFractionDigits);
};

const show = ({ status, failure }) => {
  checkout.hidden = !['failed', 'canceled'].includes(status);
  message.textContent = [failure?.message, texts[status] ?? 'Your order was paid.'].filter(Boolean).join(' ');
};

const leave = () => {
  [signIn.hidden, checkout.hidden] = [true, true];
  message.textContent = 'This order was canceled, and nothing can be paid. Please order again.';
};

/** Shows the order. If its payment was left behind by a closed page, it goes on. */
const open = async () => {
  order = await send(`/orders/${orderId}?expand=payments`);
  if (order.status === 'canceled') return leave();
  [signIn.hidden, checkout.hidden, message.textContent] = [true, false, ''];
  elements = mountFields(order.total, '#fields');
  checkout.querySelector('button').textContent = `Pay ${price(order.total)}`;
  for (const payment of order.expanded.payments.slice(-1)) await follow(send, payment, show);
};

const onSubmit = (act) => async (event) => {
  event.preventDefault();
  const button = event.target.querySelector('button');
  [button.disabled, message.textContent] = [true, 'One moment.'];
  await act().catch((error) => Object.assign(message, { textContent: error.message }));
  button.disabled = false;
  button.focus();
};

signIn.onsubmit = onSubmit(open);
checkout.onsubmit = onSubmit(async () => {
  // Since it was shown the order may have been canceled, because it was a day old or by staff.
  if ((await send(`/orders/${orderId}`)).status === 'canceled') return leave();
  await follow(send, await pay(send, order, elements), show);
});
// Until here a browser would send the form itself, with the token in the address.
signIn.querySelector('button').disabled = false;
