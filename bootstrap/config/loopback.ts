/** Whether only this machine can be reached by that name, so that nothing overhears what goes there in the clear. */
export const isLoopback = (host: string): boolean => loopback.test(host);

const loopback = /^(localhost|127(\.\d{1,3}){3}|::1)$/;
