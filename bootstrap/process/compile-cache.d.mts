export declare const keepCompiled: () => void;
