import { expect } from 'chai';
import { productView } from '#adapters/http/v1/products.ts';
import type { Product } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { aProduct } from '../../contracts/samples.ts';

describe('A product in an event from before quantity_step', () => {
  it('is shown without a step, because it was ordered in thousandths', () => {
    const { quantityStep: _, ...earlier } = aProduct({ quantityStep: Quantity.of(1) });
    expect(productView.encode(earlier as Product)).to.include({ quantity_step: null });
  });

  it('is shown with its step in later ones', () => {
    const step = Quantity.of(0.25);
    expect(productView.encode(aProduct({ quantityStep: step }))).to.include({ quantity_step: 0.25 });
  });
});
