// The people, plans and facts of one story of memberships.
import type { Random } from '#contract/testing/random.ts'
import type { Member } from '#server/testing/people/members.ts'
import type { Fan } from '#server/sim/cast.ts'
import type { Form } from '#server/sim/provider.ts'
import type { Servers } from '#server/sim/servers.ts'
import { type Common, createCommon } from '#server/sim/story.ts'
import type { ClubObserved } from './observed.ts'

/** What a plan cost, and whether it opened cheaper ones, from a moment on, ms since 1970. */
export interface Offered {
  readonly from: number
  readonly price: number
  readonly opensCheaper: boolean
}

/** A plan as its creator last changed it. */
export interface SoldPlan {
  readonly id: string
  /** Whole yen a month. */
  price: number
  opensCheaper: boolean
  memberLimit: number | null
  acceptsMembers: boolean
  /** ms since 1970; null unless its end was announced. */
  endsAt: number | null
  /** What it cost and opened, from when on, oldest first. */
  readonly history: Offered[]
}

/** A complimentary membership that an admin gave. */
export interface Gift {
  readonly id: string
  readonly fanId: string
  /** Its plan, and the cheaper ones that this opened then. */
  readonly plans: ReadonlySet<string>
  /** ms since 1970 */
  endsAt: number
}

/** A form of a plan's first month. */
export interface PlanForm {
  readonly paymentId: string
  readonly fan: Fan
  readonly plan: SoldPlan
  readonly form: Form
}

/** What a fan confirmed about one membership, by the id of its first payment. */
export interface Confirmed {
  readonly fanId: string
  /** Monthly prices, whole yen. */
  readonly prices: Set<number>
  /** Plans that it may open without being included. */
  readonly plans: Set<string>
  /** Whether the fan last stopped it. */
  isStopped: boolean
  /** Whether the fan stopped it at some time. */
  wasStopped: boolean
  wasRefunded: boolean
}

/** What a change of the card must not change. */
export interface Kept {
  readonly formId: string
  readonly planId: string | null
  readonly prices: ReadonlySet<number>
  readonly joinedAt: number
  /** By plan: since when its member has it, and from when its posts are open, ms since 1970. */
  readonly opened: ReadonlyMap<string, { readonly joinedAt: number; readonly opensFrom: number | null }>
}

/** Plans that a membership has to open, and those that it may open, since it had its plan. */
export interface Rights {
  readonly must: ReadonlySet<string>
  readonly may: ReadonlySet<string>
}

export interface ClubStory extends Common {
  readonly creator: Member
  readonly fans: readonly Fan[]
  readonly plans: SoldPlan[]
  readonly forms: PlanForm[]
  readonly confirmed: Map<string, Confirmed>
  /** Whether a fan was blocked by the creator, or blocked them, at some time. */
  readonly blocks: Set<string>
  readonly leaving: Set<string>
  readonly gifts: Gift[]
  /** By the id of a membership and its plan. */
  readonly rights: Map<string, Rights>
  /** The highest price that a member agreed to, by the id of the membership. */
  readonly agreed: Map<string, number>
  /** What is not to change with the card, by the id of a membership, when it was last seen. */
  readonly kept: Map<string, Kept>
  /** When the state was last checked, ms since 1970. */
  checkedAt: number
  /** Moments of sweeps that were not killed, ms since 1970. */
  readonly sweeps: number[]
  /** The state after the last action. */
  observed: ClubObserved
}

interface ClubCast {
  readonly creator: Member
  readonly fans: readonly Fan[]
  readonly plans: SoldPlan[]
}

export function createClubStory(
  random: Random,
  servers: Servers,
  cast: ClubCast,
  observed: ClubObserved,
): ClubStory {
  return {
    ...createCommon(random, servers),
    ...cast,
    forms: [],
    confirmed: new Map(),
    blocks: new Set(),
    leaving: new Set(),
    gifts: [],
    rights: new Map(),
    agreed: new Map(),
    kept: new Map(),
    checkedAt: servers.steady.clock.now,
    sweeps: [],
    observed,
  }
}

/** Notes what a plan costs and opens from now on. */
export function noteOffer({ price, opensCheaper, history }: SoldPlan, from: number): void {
  history.push({ from, price, opensCheaper })
}
