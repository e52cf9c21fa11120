import { formOf, textOf, valuesOf } from '../elements.ts';
import { html, nothing, type TemplateResult } from '../lit.ts';

interface Search {
  /** Names what is searched, for people who do not see the field. */
  readonly label: string;
  readonly placeholder: string;
  /** What can be searched for, below the field. */
  readonly about?: string;
  /** What was searched for. */
  readonly text: string | undefined;
  /** The address of what is found for a text. */
  readonly hrefOf: (text: string) => string;
}

/** The search of a list. */
export const searchForm = ({ label, placeholder, about, text = '', hrefOf }: Search): TemplateResult => {
  const search = (event: SubmitEvent) => {
    event.preventDefault();
    location.hash = hrefOf(textOf(valuesOf(formOf(event)), 'q'));
  };
  return html`
    <form role="search" class="search" @submit=${search}>
      <label class="hidden" for="search">${label}</label>
      <input
        id="search"
        name="q"
        type="search"
        .value=${text}
        placeholder=${placeholder}
        aria-describedby=${about ? 'search-about' : nothing}
        autocomplete="off"
        spellcheck="false"
      />
      <button>Search</button>
      ${about ? html`<small id="search-about">${about}</small>` : nothing}
    </form>
  `;
};
