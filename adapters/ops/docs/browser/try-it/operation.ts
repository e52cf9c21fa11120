// @ts-nocheck
import { callerView, fieldsView } from './form.ts';
import { highlight } from './highlight.ts';
import { html, nothing, render } from './lit.ts';
import { outcomeOf } from './outcomes.ts';
import { sendRequest } from './request.ts';
import { failureView, outcomeView, responseView } from './response.ts';

/**
 * Lets a reader fill in the request of an operation and send it. Its samples show at any time what would be sent.
 * @param section of the operation
 * @param shared the caller, the ids, whether this page can send, and what shows the samples
 * @returns open: shows the form
 */
export const tryOperation = (section, request, shared) => {
  const { caller, ids, canSend, showSamples } = shared;
  const place = section.querySelector('.try-it');
  const { id } = section;
  const title = section.querySelector('h2').textContent.trim();
  let isOpen = false;
  let isSending = false;
  let outcome: unknown;

  const send = async (event) => {
    event.preventDefault();
    if (isSending) return;
    if (request.bodyProblem() !== undefined) return place.querySelector('textarea').focus();
    const sent = request.current();
    request.markSent();
    isSending = true;
    draw();
    const response = await sendRequest(sent);
    isSending = false;
    if (response.failure === undefined && response.status < 300) ids.learn(response.url, response.json?.data);
    const advice = await adviceOn(sent, response);
    outcome = response.failure === undefined ? readOutcome(response, advice) : { response };
    draw();
    place.querySelector('.outcome').scrollIntoView({ block: 'nearest' });
  };

  const readOutcome = (response, advice) => {
    const { text, json } = response;
    // Formatted once, since the form is drawn again with each letter that the reader types.
    const formatted = () => [...highlight(JSON.stringify(json, null, 2), 'json').childNodes];
    return {
      response,
      words: outcomeOf(response, id, advice),
      content: json === undefined ? text || undefined : formatted(),
    };
  };

  /** What to do about this request, beyond what its status means. */
  const adviceOn = async (sent, { status }) => {
    if (status === 401 && sent.key === '') return 'Give your API key above.';
    if (status === 401 && caller.name() !== 'own') {
      await caller.renew();
      return 'The page has read its keys again. Send it once more.';
    }
    if (status === 404 && request.hasExample(sent))
      return 'The request names an id that is only an example. Replace it with one of yours, from a list.';
    return undefined;
  };

  const toggle = (shallOpen) => {
    isOpen = shallOpen;
    draw();
    place.querySelector(isOpen ? 'form :is(input, select, textarea, button)' : '.open').focus();
  };

  const form = () => html`
    <form class="request" aria-label=${`Try it: ${title}`} @submit=${send} @keydown=${sendByKeyboard}>
      ${canSend ? callerView(id, caller) : nothing}
      ${fieldsView(request, draw)}
      <p class="actions">
        ${
          canSend
            ? html`<button class="send" aria-disabled=${isSending ? 'true' : 'false'}>${isSending ? 'Sending …' : 'Send'}</button>`
            : html`<span class="hint">This page cannot send requests. Copy the sample.</span>`
        }
        <button type="button" class="close" @click=${() => toggle(false)}>Close</button>
      </p>
    </form>
    <p class="outcome" role="status">${outcome === undefined ? nothing : outcomeLine()}</p>
    <div class="received">${outcome?.words === undefined ? nothing : responseView(outcome.response, outcome.content, outcome.words.error?.details ?? [])}</div>`;

  const outcomeLine = () =>
    outcome.words === undefined
      ? failureView(outcome.response.failure)
      : outcomeView(outcome.words, outcome.response);

  const draw = () => {
    render(
      isOpen
        ? form()
        : html`<button type="button" class="open" aria-label=${`${canSend ? 'Try it' : 'Fill in'}: ${title}`} @click=${() => toggle(true)}>${canSend ? 'Try it' : 'Fill in'}</button>`,
      place,
    );
    showSamples();
  };

  caller.subscribe(draw);
  ids.subscribe(draw);
  place.hidden = false;
  draw();
  return { open: () => toggle(true) };
};

/** From anywhere in the form, the text of the body included. */
const sendByKeyboard = (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
};
