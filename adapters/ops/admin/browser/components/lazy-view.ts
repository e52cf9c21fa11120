import { html } from '../lit.ts';
import type { Context, View } from '../view.ts';
import { errorBox } from './states.ts';

type Open = (context: Context) => View;

/**
 * A view whose modules are loaded when it is opened, because most visits do without them.
 * @param title of the view while it is loaded
 */
export const lazyView =
  (title: string, load: () => Promise<Open>): Open =>
  (context) => {
    const { signal, update } = context;
    const view: View = { title, template: () => html`<p role="status">Loading …</p>` };
    load()
      .then((open) => {
        if (!signal.aborted) Object.assign(view, open(context));
      })
      .catch((error: unknown) => {
        view.template = () => errorBox(error);
      })
      .finally(update);
    return view;
  };
