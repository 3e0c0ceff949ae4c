// States of a case, and the orders of lists of cases.

/** `open`: has undecided reports. `appealed`: its decision is appealed. */
export const caseStates = ['open', 'appealed', 'decided'] as const
export type CaseState = (typeof caseStates)[number]
/** `age`: the longest waiting first; of decided cases the latest decision first. `weight`: the most undecided reports first. */
export const caseOrders = ['age', 'weight'] as const
export type CaseOrder = (typeof caseOrders)[number]
