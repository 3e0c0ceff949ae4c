// Whether a seller's data are shown to a person now.
import { SELLER_SHOWN_MS } from '#contract/sellers/sellers.ts'
import type { Db } from '#server/store/database.ts'
import { findLatestRequest, type RequestRow } from '#server/store/sellers/requests.ts'
import { factsBetween, type SellerRow } from '#server/store/sellers/sellers.ts'

/** Until when disclosed data are shown, ms; undefined if they are not. Someone in a block has them only by email. */
export function shownUntilOf(
  request: RequestRow | undefined,
  blocked: boolean,
  now: number,
): number | undefined {
  if (blocked || !request?.answeredAt || request.answer !== 'disclosed') return undefined
  const until = request.answeredAt.getTime() + SELLER_SHOWN_MS
  return until > now ? until : undefined
}

/** Whether the stored data are published, or disclosed to a person. */
export async function isShownTo(
  db: Db,
  { userId: creatorId, display }: SellerRow,
  personId: string,
  now: number,
): Promise<boolean> {
  if (display === 'published') return true
  const { blocked } = await factsBetween(db, creatorId, personId)
  return shownUntilOf(await findLatestRequest(db, creatorId, personId), blocked, now) !== undefined
}
