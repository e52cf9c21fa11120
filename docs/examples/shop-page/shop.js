// The address of your server, and your publishable key.
const [api, shopKey] = ['http://127.0.0.1:3000/v1', 'ptp_…'];
const [productList, basketList, sum, message] = document.querySelectorAll(
  '#products, #basket, #sum, #message',
);
const basket = new Map();
// A retry sends the same idempotency keys. Another basket and a final error make new ones.
let [order, attempt] = [undefined, crypto.randomUUID()];
const beginAnew = () => {
  [order, attempt] = [undefined, crypto.randomUUID()];
};

/** Sends a request. The token is the publishable key, or the customer's own for an order and a payment. */
const send = async (token, path, body, key = '') => {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key };
  headers.Authorization = `Bearer ${token}`;
  const post = { method: 'POST', body: JSON.stringify(body), headers };
  const response = await fetch(api + path, body ? post : { headers });
  const { data, error } = await response.json();
  if (/PAYMENT_DECLINED|OUT_OF_STOCK|PRODUCT_|INVALID_STATE/.test(error?.code)) attempt = crypto.randomUUID();
  // The order may be that of another customer, whose token was given before.
  if (/FORBIDDEN|NOT_FOUND/.test(error?.code)) order = undefined;
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

/** What a line costs: at least 1, unless the product costs nothing. */
const cost = ({ product: { price: shown }, quantity }) =>
  shown.amount && Math.max(1, Math.round((shown.amount * Math.round(quantity * 1000)) / 1000));

const showBasket = () => {
  const lines = [...basket.values()];
  const line = (each) => row(`${each.quantity} × ${each.product.name}`, 'Remove', () => put(each.product, 0));
  basketList.replaceChildren(...lines.map(line));
  const amount = lines.reduce((total, each) => total + cost(each), 0);
  sum.textContent = lines[0] ? `Total ${price({ ...lines[0].product.price, amount })}` : '';
};

/** Puts a product into the basket; 0 removes it. */
const put = (product, quantity) => {
  beginAnew();
  // Quantities have three decimals, and 0.1 + 0.2 has more.
  basket.set(product.id, { product, quantity: Number(quantity.toFixed(3)) });
  if (quantity === 0) basket.delete(product.id);
  showBasket();
};

const search = async ({ q }) => {
  const products = await send(shopKey, q ? `/products?q=${encodeURIComponent(q)}` : '/products');
  const add = (each) => put(each, (basket.get(each.id)?.quantity ?? 0) + (each.quantity_step ?? 1));
  const line = (each) => row(`${each.name}, ${price(each.price)}`, 'Add', () => add(each));
  productList.replaceChildren(...products.map(line));
};

const pay = async ({ token, ...address }) => {
  const items = [...basket].map(([id, { quantity }]) => ({ product_id: id, quantity }));
  // Since the last try the order may have been canceled, because it was a day old or by staff.
  if (order) order = await send(token, `/orders/${order.id}`);
  if (order?.status === 'canceled') beginAnew();
  order ??= await send(token, '/orders', { items, shipping_address: address }, `order-${attempt}`);
  const payment = { order_id: order.id, payment_method: 'tok_ok' };
  if (order.status === 'pending') await send(token, '/payments', payment, `payment-${attempt}`);
  message.textContent = `Thank you. Order ${order.number} of ${price(order.total)} is paid.`;
  basket.clear();
  showBasket();
};

const onSubmit = (act) => async (event) => {
  event.preventDefault();
  const show = ({ message: text }) => Object.assign(message, { textContent: text });
  await act(Object.fromEntries(new FormData(event.target))).catch(show);
};

document.forms.search.onsubmit = onSubmit(search);
document.forms.checkout.onsubmit = onSubmit(pay);
// Until here a browser would send the form itself, with the token in the address.
document.querySelector('#checkout button').disabled = false;
await search({});
