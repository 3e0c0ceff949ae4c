// What a search in messages can be limited to; the names are in addresses.

/** Who wrote a message: the viewer, or the other person. */
export const messageWriters = ['me', 'other'] as const
export type MessageWriter = (typeof messageWriters)[number]

/** What a message has besides its words. */
export const messageParts = ['image', 'video', 'link'] as const
export type MessagePart = (typeof messageParts)[number]
