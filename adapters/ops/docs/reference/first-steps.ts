import { type Html, html } from './html.ts';
import { samples } from './panels.ts';
import { operationHref, type Reference } from './reference.ts';

const steps = [
  ['listProducts', 'Find a product', ' and send the request.'],
  ['createOrder', 'Order it', '. The page has filled in the product’s id.'],
  ['createPayment', 'Pay', '. Send it twice: the second response is the first one, replayed.'],
] as const;

/** The way to a paid order, where the document has these operations. */
export const firstSteps = (
  reference: Reference,
  { canSend }: { readonly canSend: boolean },
): Html | undefined => {
  const operations = reference.chapters.flatMap((chapter) => chapter.operations);
  const found = steps.flatMap(([id, title, text]) => {
    const operation = operations.find((each) => each.id === id);
    return operation === undefined ? [] : [{ operation, title, text }];
  });
  const last = found.at(-1);
  if (last === undefined) return undefined;
  return html`<section class="topic" aria-labelledby="steps">
<div class="about">
<h2 id="steps"><a class="to-itself" href="#steps">Three requests to a paid order</a></h2>
<ol class="steps">${found.map(
    ({ operation, title, text }) =>
      html`<li><a href="${operationHref(operation)}">${title}</a>${canSend ? text : '.'}</li>\n`,
  )}</ol>
${canSend ? html`<p>To call the API from a page of your own, <a href="/docs/client#in-a-browser">allow its origin</a> first.</p>` : cannotSend}
</div>
<div class="beside">
${samples(reference, last.operation)}
</div>
</section>`;
};

const cannotSend = html`<p class="note">Requests can be read, not sent, from here: the API is served on this page’s origin only on a loopback
address. For a page that can send them, set <code>PAGES_PORT</code>. To call the API from a page of your own,
<a href="/docs/client#in-a-browser">allow its origin</a> first.</p>`;
