import type { Preset } from './preset.ts';
import { shopify } from './shopify.ts';
import { woocommerce } from './woocommerce.ts';

/** By the names on the command line. */
export const presets = { woocommerce, shopify } as const satisfies Readonly<Record<string, Preset>>;

export type PresetName = keyof typeof presets;

export const presetNames = Object.keys(presets) as readonly PresetName[];
