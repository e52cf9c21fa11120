import { inputOf } from '../elements.ts';
import { html, live, nothing, type TemplateResult } from '../lit.ts';
import type { Context } from '../view.ts';

interface Group<Value> {
  readonly title: string;
  readonly items: readonly (readonly [value: Value, label: string])[];
}

interface Choosing<Value, G> {
  /** The values that stand for the whole of a group. */
  readonly allOf: (group: G) => readonly Value[];
  /** The values that are chosen; changed in place. */
  readonly chosen: Set<Value>;
}

/** Check boxes in groups, each of which has one for all. */
export const checkboxGroups = <Value extends string, G extends Group<Value>>(
  { update }: Pick<Context, 'update'>,
  groups: readonly G[],
  { allOf, chosen }: Choosing<Value, G>,
): TemplateResult => {
  const toggle = (values: readonly Value[], isOn: boolean, others: readonly Value[]) => {
    for (const value of others) chosen.delete(value);
    for (const value of values) {
      if (isOn) chosen.add(value);
      else chosen.delete(value);
    }
    update();
  };

  const group = (each: G) => {
    const { title, items } = each;
    const values = items.map(([value]) => value);
    const all = allOf(each);
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
        <input type="checkbox" name="whole" value=${title} .checked=${live(hasAll)} @change=${(event: Event) => toggle(all, inputOf(event).checked, replaced)} />
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
            @change=${(event: Event) => toggle([value], inputOf(event).checked, [])}
          />
          <span>${label}</span>
        </label>`,
      )}
    </fieldset>`;
  };

  return html`<div class="groups">${groups.map(group)}</div>`;
};
