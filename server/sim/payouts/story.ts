// The state of one story of payouts: what creator, admins and bank really did.
import type { Random } from '#contract/testing/random.ts'
import type { Servers } from '#server/sim/servers.ts'
import type { Member } from '#server/testing/people/members.ts'
import type { PayoutObserved } from './observed.ts'

/** A transfer that the bank has executed, or tried to. */
export interface BankTransfer {
  readonly payoutNumber: number
  readonly amount: number
  readonly accountNumber: string
  /** Digit of the result; 0 is paid. */
  readonly outcome: string
  /** Whether a paid one came back later. */
  cameBack: boolean
}

/** A transfer file that an admin took to the bank. */
export interface DeliveredFile {
  readonly id: string
  readonly bytes: Buffer
  readonly transfers: readonly BankTransfer[]
}

export interface PayoutCast {
  readonly creator: Member
  readonly admins: readonly Member[]
  readonly postId: string
}

export interface PayoutStory {
  readonly random: Random
  readonly servers: Servers
  readonly cast: PayoutCast
  /** Files by the order of their delivery. */
  readonly delivered: DeliveredFile[]
  /** Ids of files that were requested. */
  readonly fileIds: string[]
  /** What an admin typed for a file, yen, by the id of the record. */
  readonly typedFees: Map<string, { readonly fileId: string; readonly fee: number }>
  /** The account number that transfers go to from now on; '' without an account. */
  account: string
  /** Whether the creator's account was deleted. */
  hasLeft: boolean
  observed: PayoutObserved
  /** What the last action was, for messages. */
  action: string
}

/** The transfer that a payout's state rests on; undefined when the bank never had it. */
export const transferOf = ({ delivered }: PayoutStory, number: number): BankTransfer | undefined =>
  delivered.flatMap((it) => it.transfers).findLast((it) => it.payoutNumber === number)
