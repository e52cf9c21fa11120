// The address of your server, and your publishable key.
const [api, shopKey] = ['http://127.0.0.1:3000/v1', 'ptp_…'];
const [productList, basketList, message] = document.querySelectorAll('#products, #basket, #message');
const basket = new Map();
// A retry sends the same idempotency keys. Another basket and a final error make new ones.
let [order, attempt] = [undefined, crypto.randomUUID()];

/** Sends a request. The token is the publishable key, or the customer's own for an order and a payment. */
const send = async (token, path, body, key = '') => {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key };
  headers.Authorization = `Bearer ${token}`;
  const post = { method: 'POST', body: JSON.stringify(body), headers };
  const response = await fetch(api + path, body ? post : { headers });
  const { data, error } = await response.json();
  if (/PAYMENT_DECLINED|OUT_OF_STOCK|PRODUCT_|INVALID_STATE/.test(error?.code)) attempt = crypto.randomUUID();
  if (error) throw new Error(error.message);
  return data;
};

/** An amount is a whole number of the smallest unit of its currency. */
const price = ({ amount, currency }) => {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.format(amount / 10 ** format.resolvedOptions().maximumFractionDigits);
};

const row = (text, label, onclick) => {
  const item = document.createElement('li');
  item.append(text, ' ', Object.assign(document.createElement('button'), { textContent: label, onclick }));
  return item;
};

/** Puts a product into the basket; 0 removes it. */
const put = (product, quantity) => {
  [order, attempt] = [undefined, crypto.randomUUID()];
  // Quantities have three decimals, and 0.1 + 0.2 has more.
  basket.set(product.id, { product, quantity: Number(quantity.toFixed(3)) });
  if (quantity === 0) basket.delete(product.id);
  const line = (each) => row(`${each.quantity} × ${each.product.name}`, 'Remove', () => put(each.product, 0));
  basketList.replaceChildren(...[...basket.values()].map(line));
};

const search = async ({ q }) => {
  const products = await send(shopKey, q ? `/products?q=${encodeURIComponent(q)}` : '/products');
  const add = (each) => put(each, (basket.get(each.id)?.quantity ?? 0) + (each.quantity_step ?? 1));
  const line = (each) => row(`${each.name}, ${price(each.price)}`, 'Add', () => add(each));
  productList.replaceChildren(...products.map(line));
};

const pay = async ({ token, ...address }) => {
  const items = [...basket].map(([id, { quantity }]) => ({ product_id: id, quantity }));
  order ??= await send(token, '/orders', { items, shipping_address: address }, `order-${attempt}`);
  await send(token, '/payments', { order_id: order.id, payment_method: 'tok_ok' }, `payment-${attempt}`);
  message.textContent = `Thank you. Order ${order.number} of ${price(order.total)} is paid.`;
};

const onSubmit = (act) => async (event) => {
  event.preventDefault();
  const show = ({ message: text }) => Object.assign(message, { textContent: text });
  await act(Object.fromEntries(new FormData(event.target))).catch(show);
};

document.forms.search.onsubmit = onSubmit(search);
document.forms.checkout.onsubmit = onSubmit(pay);
await search({});
