/** An object with other methods in place of some of its own. */
export const replacing = <T extends object>(object: T, methods: Partial<T>): T =>
  new Proxy(object, {
    get: (target, name) => {
      if (name in methods) return Reflect.get(methods, name);
      const own: unknown = Reflect.get(target, name);
      return typeof own === 'function' ? own.bind(target) : own;
    },
  });
