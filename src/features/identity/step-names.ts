// Names of an identity check's steps, separate from their rules: the route parses them before the page loads.

export const steps = ['document', 'front', 'back', 'live', 'confirm'] as const
export type Step = (typeof steps)[number]
