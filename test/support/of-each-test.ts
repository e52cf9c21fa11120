/**
 * Makes something before each test of the surrounding `describe`, and ends it behind the test if it has an `end`.
 * @returns stands for what the running test has: its members are read there
 */
export const ofEachTest = <T extends object & { readonly end?: () => unknown }>(
  make: () => T | Promise<T>,
): T => {
  let made: T | undefined;
  const current = (): T => {
    if (made === undefined) throw new Error('It exists from the first test on.');
    return made;
  };
  beforeEach(async () => {
    made = await make();
  });
  afterEach(() => made?.end?.());
  return new Proxy({} as T, {
    get: (_, name) => {
      const member = Reflect.get(current(), name);
      return typeof member === 'function' ? member.bind(current()) : member;
    },
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor: (_, name) => {
      const member = Reflect.getOwnPropertyDescriptor(current(), name);
      return member && { ...member, configurable: true };
    },
    set: (_, name, value) => Reflect.set(current(), name, value),
  });
};
