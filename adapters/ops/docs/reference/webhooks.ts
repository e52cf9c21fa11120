import { type Html, html } from './html.ts';
import { webhookSection } from './operation.ts';
import type { Reference } from './reference.ts';

/** The content of the page of the requests that Portico sends. */
export const webhooksContent = (reference: Reference): Html =>
  html`<main class="reference">
<div class="lead">
<h1>Webhooks</h1>
<p>Portico sends events to the endpoints that you <a href="/docs/reference/webhook-endpoints">create</a>. <a href="/docs/guides/webhooks">The guide</a> shows how to receive them.</p>
</div>
${reference.webhooks.map((webhook) => webhookSection(reference, webhook))}
</main>`;
