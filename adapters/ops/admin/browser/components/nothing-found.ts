/** Groups of an order number in which there is no digit by chance. */
const groups = /^[A-Z]{4}(?:-[A-Z]{4})*-?$/;

/**
 * Why a search has found nothing: only whole addresses and numbers can be searched for.
 * @param example a whole number that could have been searched for
 */
export const nothingFoundText = (text: string, example?: string): string => {
  if (text.includes('@')) return 'An e-mail address is found as a whole only.';
  if (/\d/.test(text) || groups.test(text))
    return `A number is found as a whole only${example === undefined ? '' : `, such as ${example}`}.`;
  return 'Names cannot be searched.';
};
