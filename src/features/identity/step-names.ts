// The names of the steps of an identity check, apart from their rules: the address is parsed before the page is loaded.

export const steps = ['document', 'front', 'back', 'live', 'confirm'] as const
export type Step = (typeof steps)[number]
