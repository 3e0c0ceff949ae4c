// The people, plans and facts of one story of memberships.
import type { Random } from '#contract/testing/random.ts'
import type { Member } from '#server/testing/people/members.ts'
import type { Fan } from '#server/sim/cast.ts'
import type { Form } from '#server/sim/provider.ts'
import type { Servers } from '#server/sim/servers.ts'
import { type Common, createCommon } from '#server/sim/story.ts'
import type { ClubObserved } from './observed.ts'

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
  /** When its price or what it opens last changed, ms since 1970. */
  changedAt: number
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

export interface ClubStory extends Common {
  readonly creator: Member
  readonly fans: readonly Fan[]
  readonly plans: SoldPlan[]
  readonly forms: PlanForm[]
  readonly confirmed: Map<string, Confirmed>
  /** Pairs of a plan and one that it opened at some time, as `dear cheap`. */
  readonly includes: Set<string>
  /** Whether a fan was blocked by the creator, or blocked them, at some time. */
  readonly blocks: Set<string>
  readonly leaving: Set<string>
  readonly gifts: Gift[]
  /** Plans that a membership has to open, by its id and its plan. */
  readonly rights: Map<string, ReadonlySet<string>>
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
  const story: ClubStory = {
    ...createCommon(random, servers),
    ...cast,
    forms: [],
    confirmed: new Map(),
    includes: new Set(),
    blocks: new Set(),
    leaving: new Set(),
    gifts: [],
    rights: new Map(),
    checkedAt: servers.steady.clock.now,
    sweeps: [],
    observed,
  }
  noteIncluded(story)
  return story
}

/** Notes which plans open which others now. */
export function noteIncluded({ plans, includes }: Pick<ClubStory, 'plans' | 'includes'>): void {
  for (const dear of plans)
    for (const cheap of plans)
      if (dear.opensCheaper && cheap.price < dear.price) includes.add(`${dear.id} ${cheap.id}`)
}
