import { expect } from 'chai';
import type { Json } from '../../http/support/client.ts';
import { document, renderReference, textOf } from './rendered.ts';

/** The sentences of a text. */
const sentencesOf = (text: string): readonly string[] =>
  text.split(/(?<=[.!?])\s+/).filter((one) => one !== '');

const repeated = (all: readonly string[]): readonly string[] =>
  all.filter((one, index) => all.indexOf(one) !== index);

describe('The reference says nothing twice:', () => {
  let pages: ReadonlyMap<string, string>;
  before(async () => {
    pages = await renderReference(document);
  });

  it('each field and parameter has one place on its page', () => {
    for (const [path, page] of pages) {
      const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
      expect(repeated(ids), path).to.deep.equal([]);
    }
  });

  it('what is said of a field or parameter repeats no sentence', () => {
    for (const [path, page] of pages)
      for (const [item, , id] of page.matchAll(
        /<li class="field" id="()([^"]+)">\n<p class="name">.*\n<p>.*<\/p>/g,
      )) {
        const description = item.split('\n').at(-1) ?? '';
        expect(repeated(sentencesOf(textOf(description))), `${path} ${id}`).to.deep.equal([]);
      }
  });

  it('a filter is not described as the field of a body that it is elsewhere', () => {
    for (const methods of Object.values<Json>(document.paths as Json))
      for (const { parameters = [] } of Object.values<Json>(methods))
        for (const { in: place, schema } of parameters)
          if (place === 'query') expect(schema).not.to.have.property('description');
    const [payments] = [...pages].filter(([path]) => path.endsWith('/payments'));
    expect(textOf(payments?.[1] ?? '')).not.to.include('Only payments of this order. The order to pay');
  });
});
