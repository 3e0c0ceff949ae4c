// Names of the identity check's steps, which the route parses before the page loads.

export const steps = ['document', 'front', 'back', 'live', 'confirm'] as const
export type Step = (typeof steps)[number]
