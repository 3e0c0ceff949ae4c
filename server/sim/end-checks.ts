// The invariants that hold at the end of a story, after all notices and jobs.
import { balanceOfCharge } from './charge-balance.ts'
import { causesOf, creatorShare, type Violation } from './invariants.ts'
import type { Observed } from './observed.ts'
import type { Story } from './story.ts'

/** A notice that was answered with success is handled by job or sweep, without another one. */
export function checkStored({ charges: truth }: Story, { charges }: Observed): Violation[] {
  const numbers = new Set(charges.map((it) => it.gid))
  return truth
    .filter((it) => it.isAcknowledged && !it.isTampered && !numbers.has(it.gid))
    .map((it) => ({ of: 'stored', says: `the notice of ${it.gid} was answered with 200 and lost` }))
}

/** After all notices, jobs and sweeps: each charge is a sale, or its money is back with the buyer. */
export function checkEnd({ charges: truth }: Story, { charges, tasks }: Observed): Violation[] {
  const violations = truth.flatMap((it): string[] => {
    const stored = charges.find(({ gid }) => gid === it.gid)
    const causes = stored ? causesOf(stored) : new Set()
    const has = (kind: string, done: boolean) =>
      tasks.some((task) => task.kind === kind && task.gid === it.gid && task.done === done)
    // Its notice is refused; the provider's list makes it a charge that is returned.
    if (it.isTampered && stored && !stored.is_surplus)
      return [`${it.gid}, a charge of a changed form, is a sale`]
    if (it.isTampered && !stored) {
      return has('notice_mismatch', false) || has('difference', false)
        ? []
        : [`no task is about ${it.gid}, a charge of a changed form`]
    }
    if (!stored) return [`${it.gid} is not recorded`]
    const { refunded, returned } = balanceOfCharge(stored)
    const owed = stored.is_surplus ? it.amount : refunded
    const booked = stored.is_surplus && causes.has('refund_paid') ? it.amount : returned
    const kind = stored.is_surplus ? 'refund_surplus' : 'refund'
    return [
      ...(it.returned === owed ? [] : [`${owed} yen of ${it.gid} are owed, and ${it.returned} returned`]),
      ...(booked === owed ? [] : [`the return of ${owed} yen of ${it.gid} is booked as ${booked}`]),
      ...(owed > 0 && (has(kind, false) || !has(kind, true))
        ? [`the task about ${it.gid} is not closed`]
        : []),
    ]
  })
  return violations.map((says) => ({ of: 'settled', says }))
}

/** Long after staff removed a post, everyone who bought it has the money back. */
export const checkRemoved = ({ cast }: Story, { purchases }: Observed): Violation[] =>
  cast.offers
    .filter((it) => it.removedAt !== null)
    .flatMap(({ id }) => purchases.filter((it) => it.post_id === id && !it.revoked))
    .map((it) => ({ of: 'removed', says: `${it.post_id} is removed, and ${it.user_id} has paid for it` }))

/** What the ledger owes the creators of these charges, yen. */
export const payableOf = ({ charges }: Pick<Observed, 'charges'>): number =>
  charges
    .filter((it) => !it.is_surplus)
    .map(balanceOfCharge)
    .reduce((sum, it) => sum + creatorShare(it.left) + it.covered, 0)
