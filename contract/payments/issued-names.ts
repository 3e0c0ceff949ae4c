// Names of the kinds of issued documents.

export const issuedKinds = ['receipt', 'statement'] as const
export type IssuedKind = (typeof issuedKinds)[number]
