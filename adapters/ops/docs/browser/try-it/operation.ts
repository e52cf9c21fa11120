import { findElement } from '../page.ts';
import type { SampleRequest } from '../samples/index.ts';
import type { Caller } from './caller.ts';
import { callerView, fieldsView } from './form.ts';
import { highlight } from './highlight.ts';
import type { KnownIds } from './ids.ts';
import { html, nothing, render } from './lit.ts';
import { type Outcome, outcomeOf } from './outcomes.ts';
import { type EditedRequest, type Failure, type ReceivedResponse, sendRequest } from './request.ts';
import { failureView, outcomeView, responseView } from './response.ts';

interface Shared {
  readonly caller: Caller;
  readonly ids: KnownIds;
  /** Whether this page can send. */
  readonly canSend: boolean;
  readonly showSamples: () => void;
}

/** What has become of a request. */
type Received =
  | { readonly failure: Failure }
  | {
      readonly response: ReceivedResponse;
      readonly words: Outcome;
      /** The body; undefined where there is none. */
      readonly content: unknown;
    };

/**
 * Lets a reader fill in the request of an operation and send it. Its samples show at any time what would be sent.
 * @param section of the operation
 * @returns open: shows the form
 */
export const tryOperation = (
  section: Element,
  request: EditedRequest,
  shared: Shared,
): { readonly open: () => void } => {
  const { caller, ids, canSend, showSamples } = shared;
  const place = findElement(section, '.try-it', HTMLElement);
  const { id } = section;
  const title = (section.querySelector('h2')?.textContent ?? '').trim();
  let isOpen = false;
  let isSending = false;
  let outcome: Received | undefined;

  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isSending) return;
    if (request.bodyProblem() !== undefined) {
      findElement(place, 'textarea', HTMLTextAreaElement).focus();
      return;
    }
    const sent = request.current();
    request.markSent();
    isSending = true;
    draw();
    const response = await sendRequest(sent);
    isSending = false;
    if ('failure' in response) outcome = response;
    else {
      if (response.status < 300) ids.learn(response.url, response.json?.data);
      outcome = readOutcome(response, await adviceOn(sent, response));
    }
    draw();
    findElement(place, '.outcome', HTMLElement).scrollIntoView({ block: 'nearest' });
  };

  const readOutcome = (response: ReceivedResponse, advice: string | undefined) => {
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
  const adviceOn = async (sent: SampleRequest, { status }: ReceivedResponse): Promise<string | undefined> => {
    if (status === 401 && sent.key === '') return 'Give your API key above.';
    if (status === 401 && caller.name() !== 'own') {
      await caller.renew();
      return 'The page has read its keys again. Send it once more.';
    }
    if (status === 404 && request.hasExample(sent))
      return 'The request names an id that is only an example. Replace it with one of yours, from a list.';
    return undefined;
  };

  const toggle = (shallOpen: boolean) => {
    isOpen = shallOpen;
    draw();
    findElement(place, isOpen ? 'form :is(input, select, textarea, button)' : '.open', HTMLElement).focus();
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
    <p class="outcome" role="status">${outcome === undefined ? nothing : outcomeLine(outcome)}</p>
    <div class="received">${outcome === undefined || 'failure' in outcome ? nothing : responseView(outcome.response, outcome.content, outcome.words.error?.details ?? [])}</div>`;

  const outcomeLine = (received: Received) =>
    'failure' in received ? failureView(received.failure) : outcomeView(received.words, received.response);

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
const sendByKeyboard = (event: KeyboardEvent): void => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  if (event.currentTarget instanceof HTMLFormElement) event.currentTarget.requestSubmit();
};
