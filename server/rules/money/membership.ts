// State machine of one membership of a plan, from the first charge to its end.

/** Why the charges of a membership are stopped on purpose. */
export type StopReason = 'cancelled' | 'member_left' | 'creator_left' | 'plan_closed'

/** Why a membership is ended before the end of what was paid. */
export type RevocationReason = 'refunded' | 'blocked' | 'member_left' | 'creator_left'

/** Why a membership has ended. */
export type EndReason =
  | StopReason
  /** The provider stopped the charges after failures. */
  | 'payment_failed'
  /** The provider reported neither a charge nor the end of its attempts. */
  | 'not_paid'
  | 'refunded'
  | 'blocked'

/** A membership. Times are ms since 1970; until `paidUntil` it has been paid for. */
export type Membership =
  | { readonly is: 'pending' }
  | { readonly is: 'active'; readonly paidUntil: number }
  /** A renewal failed, and the provider tries again. */
  | { readonly is: 'past_due'; readonly paidUntil: number }
  /** Charges are stopped since this moment, and access continues until the end of the period. */
  | { readonly is: 'cancelling'; readonly since: number; readonly paidUntil: number; readonly why: EndReason }
  | { readonly is: 'ended'; readonly at: number; readonly why: EndReason }

export type MembershipEvent =
  /** The provider charged a period; its notice may be late. */
  | {
      readonly is: 'charged'
      readonly chargedAt: number
      /** End of the period. */
      readonly until: number
      /** Whether an earlier charge paid the same period. */
      readonly isRepeated: boolean
    }
  /** The form of a change of the card was paid, since the time after the paid one was not; its notice may be late. */
  | {
      readonly is: 'card_paid'
      /** When the member began the form. */
      readonly begunAt: number
      /** End of the period that it pays. */
      readonly until: number
      /** Whether another charge paid the same period. */
      readonly isRepeated: boolean
      /** Whether an ended membership can be continued. */
      readonly canReturn: boolean
    }
  /** Another card is charged from the next period on. */
  | { readonly is: 'card_registered' }
  /** The provider could not charge at this moment, and will try again; its notice may be late. */
  | { readonly is: 'renewal_failed'; readonly triedAt: number }
  /** The provider has stopped the charges by itself, or the member did so there. */
  | { readonly is: 'charges_stopped'; readonly why: 'payment_failed' | 'cancelled' }
  /** The charges are to be stopped. */
  | {
      readonly is: 'stop_requested'
      readonly why: StopReason
      /** The announced end of the plan, to which the posts stay open; null without one. */
      readonly openUntil: number | null
    }
  /** The member takes a stop back before the end of what was paid. */
  | { readonly is: 'resume_requested' }
  /** It ends at once: after a refund or a block, or since an account is erased. */
  | { readonly is: 'revoked'; readonly why: RevocationReason }
  /** Time has passed. */
  | { readonly is: 'checked' }

export interface MembershipStep {
  readonly membership: Membership
  /** Whether the charge of this event pays for nothing, so that it is refunded. */
  readonly isSurplus: boolean
}

const DAY = 24 * 3600_000
/** How long after its period a membership without any notice stays active, ms, so that a late one changes nothing. */
export const LATE_NOTICE_MS = 2 * DAY
/** How long before the end of a period the provider may try to charge the next one, ms. */
export const EARLY_CHARGE_MS = DAY
/** How long after its period a membership that is past due stays open at most, ms: the notice of a stop may be lost. */
export const PAST_DUE_MS = 14 * DAY
/** How long after its end its member can continue a membership that ended unpaid, ms. Its place is kept so long. */
export const RETURN_MS = 14 * DAY

const stay = (membership: Membership): MembershipStep => ({ membership, isSurplus: false })
const surplus = (membership: Membership): MembershipStep => ({ ...stay(membership), isSurplus: true })

/**
 * The result of an event on a membership. Each period is paid by one charge; every other charge is surplus.
 * Notices may come in any order, each once.
 * @param now ms since 1970
 */
export function membershipStep(membership: Membership, event: MembershipEvent, now: number): MembershipStep {
  switch (event.is) {
    case 'charged':
      return charged(membership, event)
    case 'card_paid':
      return cardPaid(membership, event, now)
    case 'card_registered':
      return stay(cardRegistered(membership, now))
    case 'renewal_failed':
      return stay(renewalFailed(membership, event.triedAt))
    case 'charges_stopped':
      return stay(isPaying(membership) ? leaving(membership, event.why, now) : membership)
    case 'stop_requested':
      return stopRequested(membership, event, now)
    case 'resume_requested':
      return stay(canResume(membership, now) ? { is: 'active', paidUntil: membership.paidUntil } : membership)
    case 'revoked':
      return revoked(membership, event.why, now)
    case 'checked':
      return checked(membership, now)
    default:
      return event satisfies never
  }
}

/** Whether a membership opens the posts of its plan at this moment, ms since 1970. */
export function opensPlan(membership: Membership, now: number): boolean {
  switch (membership.is) {
    case 'active':
    case 'past_due':
      return true
    case 'cancelling':
      return now < membership.paidUntil
    case 'pending':
    case 'ended':
      return false
    default:
      return membership satisfies never
  }
}

/** Reasons of a stop that the member can take back. */
const resumable: ReadonlySet<EndReason> = new Set(['cancelled', 'member_left', 'creator_left'])

/** Whether its member can take the stop back at this moment, ms since 1970. */
export function canResume(
  membership: Membership,
  now: number,
): membership is Extract<Membership, { is: 'cancelling' }> {
  return membership.is === 'cancelling' && resumable.has(membership.why) && now < membership.paidUntil
}

/**
 * Whether a membership ended because a month was not paid, also by a member who cancelled then. After every other end a new one
 * begins.
 * @param paidUntil the end of what was paid, ms since 1970
 */
export const endedUnpaid = ({ at, why }: Pick<Ended, 'at' | 'why'>, paidUntil: number): boolean =>
  isUnpaid(why) || (why === 'cancelled' && at > paidUntil)

/** Whether a card can be changed without a payment: its next month is charged later. */
export const canRegisterCard = (it: Membership, now: number): boolean =>
  isPaying(it) ? it.paidUntil > now : isStoppedByFailure(it, now)

type Ended = Extract<Membership, { is: 'ended' }>

/** The provider gave up before the end of what was paid. */
const isStoppedByFailure = (it: Membership, now: number): it is Extract<Membership, { is: 'cancelling' }> =>
  it.is === 'cancelling' && it.why === 'payment_failed' && now < it.paidUntil

type Paying = Extract<Membership, { is: 'active' | 'past_due' }>

const isPaying = (it: Membership): it is Paying => it.is === 'active' || it.is === 'past_due'

/** A membership whose charges have stopped: open to the end of what was paid. */
function leaving({ paidUntil }: Paying, why: EndReason, now: number): Membership {
  return paidUntil > now ? { is: 'cancelling', since: now, paidUntil, why } : { is: 'ended', at: now, why }
}

function charged(it: Membership, event: Extract<MembershipEvent, { is: 'charged' }>): MembershipStep {
  const { chargedAt, until, isRepeated } = event
  if (isRepeated) return surplus(it)
  switch (it.is) {
    case 'pending':
      return stay({ is: 'active', paidUntil: until })
    case 'active':
    case 'past_due':
      // A late notice of an earlier period does not show that the last renewal succeeded.
      return stay(until > it.paidUntil ? { is: 'active', paidUntil: until } : it)
    case 'cancelling':
      // A charge before the stop has a late notice; one after it ignored the stop.
      return chargedAt <= it.since ? stay({ ...it, paidUntil: Math.max(until, it.paidUntil) }) : surplus(it)
    case 'ended':
      // It ended because this charge was not reported. The period is open to its end, and no charge follows it.
      return isUnpaid(it.why) && chargedAt <= it.at && until > it.at
        ? stay({ is: 'cancelling', since: it.at, paidUntil: until, why: it.why })
        : surplus(it)
    default:
      return it satisfies never
  }
}

/** A card that is registered replaces one that failed. What the member or the creator stopped stays stopped. */
const cardRegistered = (it: Membership, now: number): Membership =>
  isStoppedByFailure(it, now) ? { is: 'active', paidUntil: it.paidUntil } : it

function cardPaid(
  it: Membership,
  { begunAt, until, isRepeated, canReturn }: Extract<MembershipEvent, { is: 'card_paid' }>,
  now: number,
): MembershipStep {
  // A notice that comes after the period opens nothing.
  if (isRepeated || until <= now) return surplus(it)
  if (isPaying(it)) return stay({ is: 'active', paidUntil: Math.max(until, it.paidUntil) })
  if (it.is !== 'ended' || !canReturn) return surplus(it)
  // Who cancelled after the form was begun has the month, and is charged no other one.
  return it.why === 'cancelled' && begunAt <= it.at
    ? stay({ is: 'cancelling', since: it.at, paidUntil: until, why: it.why })
    : stay({ is: 'active', paidUntil: until })
}

/** An attempt for a period that was paid since changes nothing. */
function renewalFailed(it: Membership, triedAt: number): Membership {
  const isCurrent = it.is === 'active' && triedAt >= it.paidUntil - EARLY_CHARGE_MS
  return isCurrent ? { ...it, is: 'past_due' } : it
}

const isUnpaid = (why: EndReason): boolean => why === 'not_paid' || why === 'payment_failed'

function stopRequested(
  it: Membership,
  { why, openUntil }: Extract<MembershipEvent, { is: 'stop_requested' }>,
  now: number,
): MembershipStep {
  if (isPaying(it)) {
    // One that is past due has not paid for the time to the plan's end.
    const paidUntil = it.is === 'active' ? Math.max(it.paidUntil, openUntil ?? 0) : it.paidUntil
    return stay(leaving({ ...it, paidUntil }, why, now))
  }
  return it.is === 'pending' ? stay({ is: 'ended', at: now, why }) : stay(it)
}

function revoked(it: Membership, why: RevocationReason, now: number): MembershipStep {
  if (it.is === 'ended') return stay(it)
  const ended: Membership = { is: 'ended', at: now, why }
  return stay(ended)
}

function checked(it: Membership, now: number): MembershipStep {
  switch (it.is) {
    case 'active':
      return stay(now >= it.paidUntil + LATE_NOTICE_MS ? { ...it, is: 'past_due' } : it)
    case 'past_due':
      return now >= it.paidUntil + PAST_DUE_MS ? stay({ is: 'ended', at: now, why: 'not_paid' }) : stay(it)
    case 'cancelling':
      return stay(now >= it.paidUntil ? { is: 'ended', at: it.paidUntil, why: it.why } : it)
    case 'pending':
    case 'ended':
      return stay(it)
    default:
      return it satisfies never
  }
}
