// Names of the identity check's steps, which the route parses before the page loads.

export const steps = ['name', 'document', 'front', 'back', 'live', 'confirm'] as const
export type Step = (typeof steps)[number]
