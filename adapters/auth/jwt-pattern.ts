/** Three parts in base64url, of which the first begins as a JSON object does. An unsigned one lacks the last. */
const form = /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/;

/** Whether a credential has the form of a token that an identity provider issues; no key of ours has it. */
export const hasTokenForm = (text: string): boolean => form.test(text);
