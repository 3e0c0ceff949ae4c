// State machine of identity checks, and the choice of random gestures.
import {
  backOf,
  type CheckState,
  type DocumentKind,
  promptGestures,
  PROMPT_COUNT,
  type RejectReason,
} from '#contract/identity/identity.ts'

export interface Check {
  readonly userId: string
  readonly state: CheckState
  readonly reviewerId: string | null
  /** When the current review began; null without one. */
  readonly reviewStartedAt: Date | null
}

export type CheckAction =
  | { readonly is: 'take'; readonly by: string }
  /** Returns a taken check to the waiting ones. */
  | { readonly is: 'return'; readonly by: string }
  | { readonly is: 'approve'; readonly by: string }
  | { readonly is: 'reject'; readonly by: string; readonly reason: RejectReason; readonly note: string }

export type Advance =
  | { readonly is: 'moved'; readonly state: CheckState }
  /** The check has this state already: a repeated action changes nothing. */
  | { readonly is: 'stands' }
  | { readonly is: 'refused'; readonly code: 'conflict' | 'forbidden' }

/** After this another admin can take a taken check, ms, so that an absent admin does not block it. */
export const TAKEN_MS = 24 * 3600 * 1000

/**
 * The result of an action on a check (specification section 6). Admins never review their own check. The admin who took a
 * check returns or decides it; another one can take it after `TAKEN_MS`.
 * @param now ms since 1970
 */
export function advance(check: Check, action: CheckAction, now: number): Advance {
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

/** Whether another admin than its reviewer can take a check at `now`, ms since 1970. */
export function isTakeable({ state, reviewStartedAt }: Check, now: number): boolean {
  if (state === 'submitted') return true
  return state === 'in_review' && now - (reviewStartedAt?.getTime() ?? 0) >= TAKEN_MS
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
