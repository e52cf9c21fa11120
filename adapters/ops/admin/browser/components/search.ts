// @ts-nocheck
import { html, nothing } from '../lit.ts';

/**
 * The search of a list.
 * @param label says what is searched, for people who do not see the field
 * @param about what can be searched for, below the field
 * @param text what was searched for
 * @param hrefOf the address of what is found for a text
 */
export const searchForm = ({ label, placeholder, about, text = '', hrefOf }) => {
  const search = (event) => {
    event.preventDefault();
    location.hash = hrefOf(new FormData(event.target).get('q').trim());
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
