// Stored JSON that names the provider's numbers: details of tasks, and data of jobs.

/** A refused notice as its task shows it. */
interface NoticeExample {
  readonly chargeRef: string
  readonly paymentId: string | null
  /** ms since 1970. */
  readonly at: number
}

/** Ids, numbers and codes that a task is about. */
export interface TaskDetails {
  /** The provider's number of the charge. */
  readonly chargeRef?: string
  /** The provider's number of the recurring charge. */
  readonly recurringRef?: string
  /** The provider in whose panel it is done; left out by the version before. */
  readonly provider?: string
  /** Whole yen. */
  readonly amount?: number
  /** Code of the reason. */
  readonly why?: string
  /** Ids of a refund and of a notice. */
  readonly refund?: string
  readonly notice?: string
  /** Id of the person whose balance or payout it is about, and of the payout. */
  readonly creator?: string
  readonly payout?: string
  /** Id of the member of staff who made an act that needs a second one, and a hash of the act. */
  readonly actor?: string
  readonly digest?: string
  /** How many notices were refused for this reason, when the last one was, ms since 1970, and the newest of them. */
  readonly count?: number
  readonly lastAt?: number
  readonly newest?: readonly NoticeExample[]
}

/** Keys of the two numbers in JSON, as the first version of each table has them. */
export const refKeys = { chargeRef: 'gid', recurringRef: 'acid' } as const

export type StoredDetails = Readonly<Record<string, string | number | readonly NoticeExample[]>>

export function storedDetails({ chargeRef, recurringRef, ...rest }: TaskDetails): StoredDetails {
  return {
    ...(chargeRef !== undefined && { [refKeys.chargeRef]: chargeRef }),
    ...(recurringRef !== undefined && { [refKeys.recurringRef]: recurringRef }),
    ...rest,
  }
}

/** A reason as versions before wrote it. */
const earlierWhy: Readonly<Record<string, string>> = { 'refused:acid': 'refused:recurring' }

/** A number or code, which is never one of the lists. */
const textOf = (value: StoredDetails[string]): string => (typeof value === 'object' ? '' : String(value))

export function readDetails(stored: StoredDetails): TaskDetails {
  const { [refKeys.chargeRef]: chargeRef, [refKeys.recurringRef]: recurringRef, why, ...rest } = stored
  return {
    ...(chargeRef !== undefined && { chargeRef: textOf(chargeRef) }),
    ...(recurringRef !== undefined && { recurringRef: textOf(recurringRef) }),
    ...(why !== undefined && { why: earlierWhy[textOf(why)] ?? textOf(why) }),
    ...rest,
  }
}

/** The recurring charge that a job stops. */
export interface RecurringStop {
  readonly provider: string
  readonly recurringRef: string
}

/** The data of the version before, which was about the configured provider. */
interface EarlierStop {
  readonly acid: string
}

/** @param configured the provider of new payments; '' while selling is off */
export const readStop = (data: RecurringStop | EarlierStop, configured: string): RecurringStop =>
  'acid' in data ? { provider: configured, recurringRef: data.acid } : data
