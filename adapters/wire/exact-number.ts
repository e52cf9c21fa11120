const numberPattern = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;

/** Whether a number is just what its text says, and not the nearest to it that fits into a double. */
export const isExact = (text: string, value: number): boolean => {
  const digits = significant(text);
  return digits !== undefined && digits === significant(String(value));
};

/** `-120.50e3` and `-1.205E+5` both as `1205e2`: the digits that count, and what power of ten they stand at. */
const significant = (text: string): string | undefined => {
  const [, whole, fraction = '', exponent = '0'] = numberPattern.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = whole + fraction;
  let start = 0;
  while (digits[start] === '0') start += 1;
  let end = digits.length;
  while (end > start && digits[end - 1] === '0') end -= 1;
  if (start === end) return '0';
  return `${digits.slice(start, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
};
