// @ts-nocheck
import { html, live, nothing } from '../lit.ts';

/**
 * Check boxes in groups, each of which has one for all.
 * @param groups `{ name, title, items }`, where an item is `[value, label]`
 * @param allOf the values that stand for the whole of a group
 * @param chosen the values that are chosen; changed in place
 */
export const checkboxGroups = ({ update }, groups, { allOf, chosen }) => {
  const toggle = (values, isOn, others) => {
    for (const value of others) chosen.delete(value);
    for (const value of values) {
      if (isOn) chosen.add(value);
      else chosen.delete(value);
    }
    update();
  };

  const group = ({ title, items, ...rest }) => {
    const values = items.map(([value]) => value);
    const all = allOf({ items, ...rest });
    const hasAll = all.every((value) => chosen.has(value));
    // A value that stands for all replaces those of its group.
    const replaced = all.some((value) => values.includes(value)) ? [] : values;
    const hasOne = values.length === 1 && replaced.length === 0;
    return html`<fieldset class="group">
      <legend>${title}</legend>
      ${
        hasOne
          ? nothing
          : html`<label class="choice all">
        <input type="checkbox" name="whole" value=${title} .checked=${live(hasAll)} @change=${({ target }) => toggle(all, target.checked, replaced)} />
        <span>All</span>
      </label>`
      }
      ${items.map(
        ([value, label]) => html`<label class="choice">
          <input
            type="checkbox"
            name="chosen"
            value=${value}
            .checked=${live(hasAll || chosen.has(value))}
            ?disabled=${hasAll && replaced.length > 0}
            @change=${({ target }) => toggle([value], target.checked, [])}
          />
          <span>${label}</span>
        </label>`,
      )}
    </fieldset>`;
  };

  return html`<div class="groups">${groups.map(group)}</div>`;
};
