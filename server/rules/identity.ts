// Identity checks as a state machine, and their random gestures. Pure.
import {
  backOf,
  type CheckState,
  type DocumentKind,
  promptActs,
  PROMPTS_ASKED,
  type RejectReason,
} from '#contract/identity/identity.ts'

export interface Check {
  readonly userId: string
  readonly state: CheckState
  readonly reviewerId: string | null
  /** When the review in hand began; null while there is none. */
  readonly reviewStartedAt: Date | null
}

export type CheckAct =
  | { readonly is: 'take'; readonly by: string }
  /** Gives a taken check back to the others. */
  | { readonly is: 'return'; readonly by: string }
  | { readonly is: 'approve'; readonly by: string }
  | { readonly is: 'reject'; readonly by: string; readonly reason: RejectReason; readonly note: string }

export type Advance =
  | { readonly is: 'moved'; readonly state: CheckState }
  /** It has this state already: a repetition changes nothing. */
  | { readonly is: 'stands' }
  | { readonly is: 'refused'; readonly code: 'conflict' | 'forbidden' }

/** A check that one admin took can be taken by another after this, ms: an admin who is away must not hold it for ever. */
export const TAKEN_MS = 24 * 3600 * 1000

/**
 * What an act makes of a check (specification section 6). Admins never review their own check. One admin at a time has
 * a check: the one who took it returns or decides it; another one can take it after `TAKEN_MS`.
 * @param now ms since 1970
 */
export function advance(check: Check, action: CheckAct, now: number): Advance {
  if (action.by === check.userId) return { is: 'refused', code: 'forbidden' }
  const mine = check.reviewerId === action.by
  switch (action.is) {
    case 'take':
      if (check.state === 'in_review' && mine) return { is: 'stands' }
      return isTakeable(check, now)
        ? { is: 'moved', state: 'in_review' }
        : { is: 'refused', code: 'conflict' }
    case 'return':
      if (check.state === 'submitted') return { is: 'stands' }
      return check.state === 'in_review' && mine
        ? { is: 'moved', state: 'submitted' }
        : { is: 'refused', code: 'conflict' }
    case 'approve':
      return decide(check, mine, 'approved')
    case 'reject':
      return decide(check, mine, 'rejected')
    default:
      return action satisfies never
  }
}

function decide(check: Check, mine: boolean, to: 'approved' | 'rejected'): Advance {
  if (check.state === to && mine) return { is: 'stands' }
  return check.state === 'in_review' && mine
    ? { is: 'moved', state: to }
    : { is: 'refused', code: 'conflict' }
}

/** Whether an admin other than the one who has it can take a check at `now`, ms since 1970. */
export function isTakeable({ state, reviewStartedAt }: Check, now: number): boolean {
  if (state === 'submitted') return true
  return state === 'in_review' && now - (reviewStartedAt?.getTime() ?? 0) >= TAKEN_MS
}

/** Whether a person in this state may send a check: never before, or after a rejection. */
export function maySubmit(state: CheckState | undefined): boolean {
  return state === undefined || state === 'rejected'
}

/** Whether the parts fit the document: its back where it is wanted, and only there. */
export function partsFit(kind: DocumentKind, hasBack: boolean): boolean {
  return hasBack === (backOf[kind] === 'wanted')
}

/**
 * Acts to ask for, each once.
 * @param dice whole numbers below their bound, each equally likely
 */
export function choosePrompts(dice: (below: number) => number): string[] {
  const left: string[] = [...promptActs]
  return Array.from({ length: PROMPTS_ASKED }, () => {
    const [action = ''] = left.splice(dice(left.length), 1)
    return action === 'read_digits' ? `${action}:${String(dice(10_000)).padStart(4, '0')}` : action
  })
}

const DAY = 24 * 3600 * 1000
/** How long a decided check's documents are stored, ms (decision 021). */
export const KEEP_MS = { approved: 90 * DAY, rejected: 30 * DAY } as const
