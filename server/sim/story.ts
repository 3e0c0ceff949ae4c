// The state of one story: what people, creator and provider really did.
import type { Random } from '#contract/testing/random.ts'
import type { Cast, Fan, Offer } from './cast.ts'
import type { Form, SentNotice, TrueCharge } from './provider.ts'
import type { Servers } from './servers.ts'

/** A payment that a fan has begun, with its form. */
export interface Begun {
  readonly paymentId: string
  readonly fan: Fan
  readonly offer: Offer
  readonly form: Form
}

/** What a fan confirmed before the payment was begun. */
export interface Agreed {
  readonly fanId: string
  readonly postId: string
  /** Whole yen: the price of the post at that moment; null while it had none. */
  readonly price: number | null
}

/** A job that a server took and did not complete. */
export interface Job {
  readonly name: string
  readonly data: object
}

/** What stories of payments and of memberships have in common. */
export interface Common {
  readonly random: Random
  readonly servers: Servers
  /** Notices on their way, in the order in which they were sent. */
  readonly waiting: SentNotice[]
  readonly charges: TrueCharge[]
  readonly jobs: Job[]
  /** Numbers of the charges that the server has recorded. */
  readonly recorded: Set<string>
  /** Whether the creator requested the deletion of the account. */
  isCreatorLeaving: boolean
  /** What the last action was, for messages. */
  action: string
}

export interface Story extends Common {
  readonly cast: Cast
  readonly forms: Begun[]
  /** By the id of the payment. */
  readonly agreed: Map<string, Agreed>
  /** Whether nothing new is sold now. */
  isPaused: boolean
  /** Whether the provider was gone for a time, so that the operator returned money by hand. */
  wasWithoutProvider: boolean
}

export const createCommon = (random: Random, servers: Servers): Common => ({
  random,
  servers,
  waiting: [],
  charges: [],
  jobs: [],
  recorded: new Set(),
  isCreatorLeaving: false,
  action: 'start',
})

export const createStory = (random: Random, servers: Servers, cast: Cast): Story => ({
  ...createCommon(random, servers),
  cast,
  forms: [],
  agreed: new Map(),
  isPaused: false,
  wasWithoutProvider: false,
})
