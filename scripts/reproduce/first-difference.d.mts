export function differencesOf(one: string, other: string): Promise<readonly string[]>;
