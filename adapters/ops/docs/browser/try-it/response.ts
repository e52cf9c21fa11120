import { copyText } from '../copy.ts';
import { closest } from '../page.ts';
import { keep } from './kept.ts';
import { html, nothing, type TemplateResult } from './lit.ts';
import type { Outcome } from './outcomes.ts';
import type { Failure, ReceivedResponse } from './request.ts';

/** The headers that a reader needs; all others are the same in every response. */
const shownHeaders = [
  ...[
    'ETag',
    'Location',
    'Idempotent-Replayed',
    'Retry-After',
    'Preference-Applied',
    'Deprecation',
    'Sunset',
  ],
  ...['X-RateLimit-Remaining', 'X-Request-Id'],
];

/** What has become of a request, in a sentence or two. */
export const outcomeView = (outcome: Outcome, { status, ms }: ReceivedResponse): TemplateResult => {
  const { isSuccess, sentences, error, next } = outcome;
  return html`<b class=${isSuccess ? 'succeeded' : 'failed'}>${status}</b>
    ${sentences.join(' ')} ${error === undefined ? nothing : html`<code>${error.code}</code>: ${error.message}`}
    <span class="time">${Math.round(ms)} ms</span>
    ${next === undefined ? nothing : html`<a class="next" href="/docs/reference/${next.tag}#${next.operation}" @click=${() => keep('open', next.operation)}>${next.label}</a>`}`;
};

/** A browser reports to a script only that a request failed, not why. */
export const failureView = (failure: Failure): TemplateResult => html`<b class="failed">No response.</b>
  ${failure === 'timeout' ? 'The server has not responded within a minute. ' : `The request to ${location.origin} failed or was blocked. `}
  Check that the server runs, and what the console of the browser says. A page of your own also needs
  <a href="/docs/client#in-a-browser">CORS settings</a>.`;

/**
 * Shows the headers and the body of a response.
 * @param content the body, formatted
 */
export const responseView = (
  { headers }: ReceivedResponse,
  content: unknown,
  faults: readonly { readonly field: string; readonly message: string }[],
): TemplateResult => html`
  ${
    faults.length === 0
      ? nothing
      : html`<ul class="faults">${faults.map(({ field, message }) => html`<li><code>${field}</code> ${message}</li>`)}</ul>`
  }
  <div class="panel">
    <div class="bar"><span class="title">Response</span>${content === undefined ? nothing : copyButton}</div>
    <dl class="headers">${shownHeaders
      .filter((name) => headers.has(name))
      .map((name) => html`<div><dt>${name}</dt><dd>${headers.get(name)}</dd></div>`)}</dl>
    ${content === undefined ? nothing : html`<pre tabindex="0" aria-label="Body of the response"><code data-language="json">${content}</code></pre>`}
  </div>`;

const copy = ({ currentTarget }: Event): void => {
  const code = closest(currentTarget, '.panel')?.querySelector('code');
  if (code) copyText(code.textContent ?? '', code, 'Response');
};

const copyButton = html`<button type="button" class="copy" aria-label="Copy the response" @click=${copy}>Copy</button>`;
