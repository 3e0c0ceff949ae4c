// What creators sell, for addresses of the page.
export const soldKinds = ['post', 'plan'] as const
export type SoldKind = (typeof soldKinds)[number]
