// Who may see a seller's page, and who answers a request.

/** What the viewer has bought of the creator: something, only what was refunded, or nothing. */
export type SellerRelation = 'buyer' | 'former' | 'none'

export function relationOf({
  buys,
  paid,
}: {
  readonly buys: boolean
  readonly paid: boolean
}): SellerRelation {
  if (buys) return 'buyer'
  return paid ? 'former' : 'none'
}

export interface PageFacts {
  readonly isOwn: boolean
  readonly relation: SellerRelation
  readonly blocked: boolean
  /** Whether others see the account: neither leaving, suspended nor deleted. */
  readonly isPresent: boolean
  readonly sells: boolean
}

/**
 * Whether a person may open the page. Who has paid has rights against the seller, whatever became of the account and of the
 * two people; all others learn no more than that a profile is not there.
 */
export function maySeeSeller({ isOwn, relation, blocked, isPresent, sells }: PageFacts): boolean {
  if (isOwn || relation !== 'none') return true
  return isPresent && !blocked && sells
}

export interface RequestFacts {
  readonly relation: SellerRelation
  readonly blocked: boolean
  /** Whether an identity check of the requester was approved. */
  readonly identified: boolean
  /** Whether the creator has stored data. */
  readonly hasData: boolean
}

/**
 * Who answers a request. At once only for people who can be found again: buyers, who paid by card, and people with an approved
 * identity check. A block or a refund leaves it to the operator, and so do missing data.
 */
export function answeringOf({
  relation,
  blocked,
  identified,
  hasData,
}: RequestFacts): 'at_once' | 'by_operator' {
  if (!hasData || blocked) return 'by_operator'
  return relation === 'buyer' || (identified && relation === 'none') ? 'at_once' : 'by_operator'
}
