import { Money } from '#domain/money.ts';

/** `12.90 EUR`, by the currency's decimals. */
export const moneyText = ({ amount, currency }: Money): string => {
  const decimals = Money.decimalsOf(currency);
  const digits = `${amount}`.padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  return `${decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`} ${currency}`;
};
