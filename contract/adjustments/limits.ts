// Limits and states of adjustments: refunds, disputes, fee rates, complimentary memberships, settlements.

/** Longest reason of an adjustment, grapheme clusters. */
export const MAX_ADJUSTMENT_REASON = 200
/** Largest fee of a dispute, yen. */
export const MAX_DISPUTE_FEE = 50_000
/** Most that the platform pays a creator for one complimentary membership, yen. */
export const MAX_COMPLIMENTARY_YEN = 600_000
/** A complimentary membership ends at the latest so many days after it was given. */
export const MAX_COMPLIMENTARY_DAYS = 366
/** A creator learns of a higher fee at least so many days before it begins. */
export const RAISE_NOTICE_DAYS = 30

/** Most that the provider transfers in one settlement, yen; with its fee it fits into a line of the ledger. */
export const MAX_SETTLEMENT_YEN = 999_999_999
/** Largest fee of the provider in one settlement, yen. */
export const MAX_SETTLEMENT_FEE = 99_999_999
/** Longest reference of the provider's statement, grapheme clusters. */
export const MAX_SETTLEMENT_REFERENCE = 100

/** `open`: the card company examines the charge and has its money. `won`: the platform has it again. */
export const disputeStates = ['open', 'won', 'lost'] as const
export type DisputeState = (typeof disputeStates)[number]
