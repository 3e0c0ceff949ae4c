// Which feeds home has.

/** `following`: the viewer and the people they follow. `latest`: all people. `plans`: posts of the viewer's plans. */
export const feedKinds = ['following', 'latest', 'plans'] as const
export type FeedKind = (typeof feedKinds)[number]

/** The feed something names, or undefined. */
export const feedKindOf = (name: unknown): FeedKind | undefined => feedKinds.find((it) => it === name)
