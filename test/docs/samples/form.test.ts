import { expect } from 'chai';
import { readOperations } from '#adapters/ops/docs/reference/document.ts';
import { requestForm } from '#adapters/ops/docs/reference/form.ts';
import { exampleValues, type RequestForm, requestOf } from '#adapters/ops/docs/samples/form.ts';
import { served } from '../../http/support/described.ts';

const forms = readOperations(served).map((operation) => requestForm(served, operation));
const formOf = (id: string): RequestForm => {
  const form = forms.find(({ operationId }) => operationId === id);
  if (form === undefined) throw new Error(`There is no ${id}.`);
  return form;
};
const address = { origin: 'https://shop.example', key: 'ptc_1' };

describe('The form of a request', () => {
  it('starts with the required fields, and no filter', () => {
    const order = formOf('createOrder');
    expect(Object.keys(order.body as object)).to.deep.equal(['product_id', 'quantity']);
    expect(Object.keys(formOf('updateProduct').body as object)).to.have.length(1);
    const request = requestOf(formOf('listOrders'), {
      ...address,
      values: exampleValues(formOf('listOrders')),
    });
    expect([request.query, request.headers, 'body' in request]).to.deep.equal([{}, {}, false]);
    const sent = requestOf(order, { ...address, values: exampleValues(order) });
    expect(Object.keys(sent.headers)).to.deep.equal(['Idempotency-Key']);
  });

  it('has a value for each part of each path, and for what is required', () => {
    for (const form of forms) {
      const { pathValues, query } = requestOf(form, { ...address, values: exampleValues(form) });
      const names = [...form.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(Object.keys(pathValues), form.operationId).to.have.members(names);
      expect(Object.values(pathValues)).not.to.include('');
      if (form.operationId === 'listSales') expect(query).to.have.keys('from');
    }
  });

  it('sends numbers as numbers, and leaves out what is empty', () => {
    const values = { 'query.limit': '20', 'query.status': '', 'query.cursor': '007' };
    expect(requestOf(formOf('listOrders'), { ...address, values }).query).to.deep.equal({
      limit: 20,
      cursor: '007',
    });
    const wrong = requestOf(formOf('listOrders'), { ...address, values: { 'query.limit': '1e3x' } });
    expect(wrong.query).to.deep.equal({ limit: '1e3x' });
  });
});
