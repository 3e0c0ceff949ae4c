// Which feeds home has.

/** `following`: people one follows, and oneself. `latest`: everybody. `plans`: what the plans one has joined open. */
export const feedKinds = ['following', 'latest', 'plans'] as const
export type FeedKind = (typeof feedKinds)[number]

/** The feed something names, or undefined. */
export const feedKindOf = (name: unknown): FeedKind | undefined => feedKinds.find((it) => it === name)
