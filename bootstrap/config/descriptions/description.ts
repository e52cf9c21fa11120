/** What docs/settings.md, .env.example and `portico settings` state about one setting. */
export interface SettingDescription {
  readonly name: string;
  /** As it is written in `.env`. Empty where the setting has none, or where it depends on others: then the meaning states it. */
  readonly fallback: string;
  /** In Markdown, one paragraph. Links are relative to `docs/`. */
  readonly meaning: string;
}

export interface SettingGroup {
  readonly title: string;
  readonly settings: readonly SettingDescription[];
}

/** @param fallback the default, as it is written in `.env`; empty for none */
export const setting = (name: string, fallback: string, meaning: string): SettingDescription => ({
  name,
  fallback,
  meaning,
});

/** The meaning without Markdown, for a terminal and for comments: the text of each link, and code as it is. */
export const plainMeaning = ({ meaning }: SettingDescription): string =>
  meaning.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('`', '');
