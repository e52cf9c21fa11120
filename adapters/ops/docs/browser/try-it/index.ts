import { fetchDemoKeys } from '../page.ts';
import { createCaller } from './caller.ts';
import { createIds } from './ids.ts';
import { keep, kept } from './kept.ts';
import { tryOperation } from './operation.ts';
import { editRequest } from './request.ts';
import { showSamples } from './samples.ts';

const canSend = 'canSend' in document.body.dataset;
const caller = await createCaller(canSend ? fetchDemoKeys : async () => ({}));
const ids = createIds();

/** What the server has written into the page for the samples of a request. */
const settingsOf = ({ dataset }: HTMLElement): { readonly form?: string; readonly origin?: string } =>
  dataset;

/** @returns open: shows the form of the request; undefined where there are samples only */
const start = (samples: HTMLElement): { readonly open: () => void } | undefined => {
  const { form = '', origin = '' } = settingsOf(samples);
  // The API's own address, which a copied command needs. The page itself sends to its own origin.
  const address = new URL(origin || '/', location.href).href;
  const request = editRequest(JSON.parse(form), { caller, ids, origin: address });
  const show = () => showSamples(samples, request.current());
  ids.subscribe(() => request.fillIds());
  const section = samples.closest('.operation');
  if (section !== null) return tryOperation(section, request, { caller, ids, canSend, showSamples: show });
  caller.subscribe(show);
  ids.subscribe(show);
  show();
  return undefined;
};

const operations = new Map(
  [...document.querySelectorAll<HTMLElement>('.samples[data-form]')].map((samples) => [
    samples.closest('.operation')?.id,
    start(samples),
  ]),
);

/** A link of a next step opens the form of the operation that it leads to. */
const openNext = () => {
  const id: string | undefined = kept('open');
  if (id === undefined || location.hash !== `#${id}`) return;
  keep('open', undefined);
  operations.get(id)?.open();
};
addEventListener('hashchange', openNext);
openNext();

const demoKey = caller.demoKey();
if (demoKey !== undefined) await ids.learnFromDemo(demoKey);
