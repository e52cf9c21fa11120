// Your publishable key at Stripe.
const stripe = Stripe('pk_test_…');

/** Shows Stripe's fields in a place of the page. Only Stripe gets what the payer enters there. */
export const mountFields = ({ amount, currency }, place) => {
  // The types of payment methods that STRIPE_METHODS lists.
  const options = { mode: 'payment', paymentMethodCreation: 'manual', allowedPaymentMethodTypes: ['card'] };
  const elements = stripe.elements({ ...options, amount, currency: currency.toLowerCase() });
  elements.create('payment').mount(place);
  return elements;
};

/** Pays an order. The payment may still wait for its payer: give it to `follow`. */
export const pay = async (send, { id, total }, elements, returnUrl) => {
  const { error: incomplete } = await elements.submit();
  if (incomplete) throw incomplete;
  const { error, paymentMethod } = await stripe.createPaymentMethod({ elements });
  if (error) throw error;
  const payer = { payer_present: true, return_url: returnUrl };
  const payment = { order_id: id, amount: total, payment_method: paymentMethod.id, ...payer };
  return send('/payments', payment, crypto.randomUUID());
};

/** Lets the payer consent, and asks Portico until it knows what became of the payment. */
export const follow = async (send, payment, show) => {
  let latest = payment;
  for (let pauseMs = 1000; /^(?:pending|requires_action|processing)$/.test(latest.status); pauseMs *= 1.2) {
    show(latest);
    const { client_secret: clientSecret, url } = latest.next_action ?? {};
    if (url) return location.assign(url);
    // What Stripe.js says decides nothing: Portico asks Stripe. An error may come at once, so the page pauses before it asks again.
    const shown = clientSecret
      ? await stripe.handleNextAction({ clientSecret }).catch((error) => ({ error }))
      : null;
    if (shown === null || shown.error) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    latest = await send(`/payments/${latest.id}`);
  }
  show(latest);
};
