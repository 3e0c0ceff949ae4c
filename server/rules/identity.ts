// State machine of identity checks, and the choice of random gestures.
import {
  backOf,
  type CheckState,
  type DocumentKind,
  type IdentityPart,
  parts,
  promptGestures,
  PROMPT_COUNT,
  type RejectReason,
} from '#contract/identity/identity.ts'
import { CASE_LOCK_MS } from '#contract/moderation/measures.ts'
import { holderOf } from './moderation/restrictions.ts'

export interface Check {
  readonly userId: string
  readonly state: CheckState
  readonly reviewerId: string | null
  /** When the current review began; null without one. */
  readonly reviewStartedAt: Date | null
}

/** What the account says about a person, which a reviewer compares with the document. */
export interface Compared {
  readonly legalName: string
  readonly legalNameKana: string
  readonly birthDate: string
}

export type CheckAction =
  | { readonly is: 'take'; readonly by: string }
  /** Returns a taken check to the waiting ones. */
  | { readonly is: 'return'; readonly by: string }
  | { readonly is: 'approve'; readonly by: string; readonly compared: Compared }
  | { readonly is: 'reject'; readonly by: string; readonly reason: RejectReason; readonly note: string }

export type Advance =
  | { readonly is: 'moved'; readonly state: CheckState }
  /** The check has this state already: a repeated action changes nothing. */
  | { readonly is: 'stands' }
  | { readonly is: 'refused'; readonly code: 'conflict' | 'forbidden' }

/** Until when a check is locked for its reviewer, as a case is (decision 088); null for one that is not in review. */
export function lockedUntil({
  state,
  reviewStartedAt,
}: Pick<Check, 'state' | 'reviewStartedAt'>): Date | null {
  if (state !== 'in_review' || reviewStartedAt === null) return null
  return new Date(reviewStartedAt.getTime() + CASE_LOCK_MS)
}

/** The admin who alone may decide a check at `now`, ms since 1970. */
const reviewerAt = (check: Check, now: number): string | null =>
  holderOf({ takenBy: check.reviewerId, takenUntil: lockedUntil(check) }, now)

/**
 * The result of an action on a check (specification section 6). Admins never review their own check. The admin who took a
 * check decides it until its lock ends, and returns it; after that every admin can take it.
 * @param now ms since 1970
 */
export function advance(check: Check, action: CheckAction, now: number): Advance {
  if (action.by === check.userId) return { is: 'refused', code: 'forbidden' }
  const mine = check.reviewerId === action.by
  const holds = reviewerAt(check, now) === action.by
  switch (action.is) {
    case 'take':
      if (holds) return { is: 'stands' }
      return isTakeable(check, now)
        ? { is: 'moved', state: 'in_review' }
        : { is: 'refused', code: 'conflict' }
    case 'return':
      if (check.state === 'submitted') return { is: 'stands' }
      return check.state === 'in_review' && mine
        ? { is: 'moved', state: 'submitted' }
        : { is: 'refused', code: 'conflict' }
    case 'approve':
      return decide(check, { mine, holds }, 'approved')
    case 'reject':
      return decide(check, { mine, holds }, 'rejected')
    default:
      return action satisfies never
  }
}

interface Reviewing {
  /** Whether the caller took the check last. */
  readonly mine: boolean
  /** Whether the check is locked for the caller. */
  readonly holds: boolean
}

function decide({ state }: Check, { mine, holds }: Reviewing, to: 'approved' | 'rejected'): Advance {
  if (state === to && mine) return { is: 'stands' }
  return holds ? { is: 'moved', state: to } : { is: 'refused', code: 'conflict' }
}

/** Whether a check waits for an admin who takes it, at `now`, ms since 1970. */
export function isTakeable(check: Check, now: number): boolean {
  if (check.state === 'submitted') return true
  return check.state === 'in_review' && reviewerAt(check, now) === null
}

/** Whether a person may submit a check: the first one, or another after a rejection. */
export function maySubmit(state: CheckState | undefined): boolean {
  return state === undefined || state === 'rejected'
}

/** Whether the files are those that the document requires: a back only where it is required. */
export function partsFit(kind: DocumentKind, hasBack: boolean): boolean {
  return hasBack === (backOf[kind] === 'wanted')
}

/**
 * Whether a reviewer was shown what an approval is about: each part that the document requires, and each file there is.
 * @param shown ids of files that were sent to this reviewer whole
 */
export function isSeen(
  kind: DocumentKind,
  files: readonly { readonly id: string; readonly part: IdentityPart }[],
  shown: ReadonlySet<string>,
): boolean {
  const required = parts.filter((part) => part !== 'back' || backOf[kind] === 'wanted')
  return (
    required.every((part) => files.some((it) => it.part === part)) && files.every(({ id }) => shown.has(id))
  )
}

/**
 * Chooses the gestures to request, each once.
 * @param dice returns a uniform random integer below its argument
 */
export function choosePrompts(dice: (below: number) => number): string[] {
  const left: string[] = [...promptGestures]
  return Array.from({ length: PROMPT_COUNT }, () => {
    const [action = ''] = left.splice(dice(left.length), 1)
    return action === 'read_digits' ? `${action}:${String(dice(10_000)).padStart(4, '0')}` : action
  })
}

const DAY = 24 * 3600 * 1000
/** How long a decided check's documents are stored, ms (decision 021). */
export const DOCUMENTS_STORED_MS = { approved: 90 * DAY, rejected: 30 * DAY } as const
