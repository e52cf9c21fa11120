import type { Api } from './api.ts';
import type { nothing, TemplateResult } from './lit.ts';

/** What stands in a place of a template. */
export type Content = TemplateResult | typeof nothing | string;

/** What a view works with. */
export interface Context {
  readonly api: Api;
  /** Aborted when another view is opened. */
  readonly signal: AbortSignal;
  readonly query: URLSearchParams;
  readonly path: string;
  readonly params: {
    /** The id in the address of a view of one resource; '' for any other view. */
    readonly id: string;
  };
  /** Draws the view again, while it is open. */
  readonly update: () => void;
  /** Shows a text in passing. */
  readonly notify: (text: string) => void;
  readonly signOut: (why?: string) => void;
}

/** What is shown at an address. */
export interface View {
  title: string;
  template: () => Content;
  /** Whether something was typed that is not saved; undefined where nothing can be. */
  hasUnsaved?: (() => boolean) | undefined;
  /** What is asked before it is lost, where it is not what other views ask. */
  readonly question?: Question;
}

interface Question {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
}
