export declare const joinPackages: (root: string) => Promise<void>;
export declare const joinedIn: (root: string) => Readonly<Record<string, string>>;
