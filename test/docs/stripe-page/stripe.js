// A stand-in for https://js.stripe.com/endive/stripe.js, for tests. It has the part of https://docs.stripe.com/js that
// docs/examples/stripe-page uses, and rejects what Stripe.js rejects. Its fields and its dialog are frames of another origin.
globalThis.Stripe = (key) => {
  if (!/^pk_(?:test|live)_\w+$/.test(key)) throw new Error(`Invalid API Key provided: ${key}`);

  const call = async (path, fields) => {
    const headers = { Authorization: `Bearer ${key}` };
    const request = fields ? { method: 'POST', body: new URLSearchParams(fields), headers } : { headers };
    return (await fetch(`https://api.stripe.com/v1/${path}`, request)).json();
  };

  const addFrame = (place, path, title) => {
    const frame = Object.assign(document.createElement('iframe'), {
      src: `https://js.stripe.com/${path}`,
      title,
    });
    Object.assign(frame.style, { border: '0', width: '100%', height: '15rem' });
    place.append(frame);
    return frame;
  };

  /** The next message of a frame. */
  const messageOf = (frame) =>
    new Promise((resolve) => {
      const listen = ({ source, data }) => {
        if (source !== frame.contentWindow) return;
        removeEventListener('message', listen);
        resolve(data);
      };
      addEventListener('message', listen);
    });

  const elements = ({
    mode,
    amount,
    currency,
    paymentMethodCreation,
    allowedPaymentMethodTypes,
    ...others
  }) => {
    const unknown = Object.keys(others);
    if (unknown.length > 0) throw new Error(`Unrecognized elements() parameter: ${unknown}`);
    if (mode !== 'payment' || !(amount > 0) || !/^[a-z]{3}$/.test(currency))
      throw new Error('Invalid mode, amount or currency.');
    if (paymentMethodCreation !== 'manual' || !Array.isArray(allowedPaymentMethodTypes))
      throw new Error('Invalid methods.');
    let fields;
    const group = {
      card: undefined,
      create: (type) => {
        if (type !== 'payment') throw new Error(`A valid Element name must be provided, not ${type}.`);
        return {
          mount: (selector) => {
            fields = addFrame(document.querySelector(selector), 'fields.html', 'Secure payment input frame');
          },
        };
      },
      submit: async () => {
        const answer = messageOf(fields);
        fields.contentWindow.postMessage('submit', '*');
        group.card = await answer;
        const isComplete = /^\d{12,19}$/.test(group.card.number);
        return isComplete
          ? {}
          : { error: { type: 'validation_error', message: 'Your card number is incomplete.' } };
      },
    };
    return group;
  };

  const createPaymentMethod = async ({ elements: { card } }) => {
    if (card === undefined)
      throw new Error('elements.submit() must be called before stripe.createPaymentMethod().');
    const { error, ...paymentMethod } = await call('payment_methods', {
      type: 'card',
      'card[number]': card.number,
    });
    return error ? { error } : { paymentMethod };
  };

  /** Shows the dialog of the bank, unless the bank does without. */
  const challenge = async ({ id }, isFrictionless) => {
    if (isFrictionless) return call(`payment_intents/${id}/stand_in`, { does: 'consents' });
    const dialog = document.createElement('dialog');
    document.body.append(dialog);
    const frame = addFrame(dialog, 'challenge.html', 'Secure confirmation by your bank');
    dialog.addEventListener('cancel', () => frame.contentWindow.postMessage('close', '*'));
    dialog.showModal();
    const does = await messageOf(frame);
    dialog.close();
    dialog.remove();
    return call(`payment_intents/${id}/stand_in`, { does });
  };

  const handleNextAction = async ({ clientSecret }) => {
    const path = `payment_intents/${clientSecret.split('_secret_')[0]}?client_secret=${clientSecret}`;
    const intent = await call(path);
    if (intent.status !== 'requires_action') throw new Error(`The PaymentIntent is ${intent.status}.`);
    if (intent.next_action.type !== 'use_stripe_sdk') throw new Error('This action needs a redirect.');
    await challenge(intent, intent.stand_in_frictionless);
    const paymentIntent = await call(path);
    const { last_payment_error: error } = paymentIntent;
    return error ? { error } : { paymentIntent };
  };

  return { elements, createPaymentMethod, handleNextAction };
};
