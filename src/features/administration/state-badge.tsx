// StateBadge: the state of an identity check, in one word.
import type { CheckView } from '#contract/identity/admin-identity.ts'
import { administrationText as words } from './text.ts'
import { Badge } from '#src/ui/badge.tsx'

const looks = { submitted: 'care', in_review: 'info', approved: 'good', rejected: 'plain' } as const

/** A check whose lock has ended waits again. */
export function StateBadge({ check }: { check: Pick<CheckView, 'state' | 'taken_until'> }) {
  const state = check.state === 'in_review' && check.taken_until === null ? 'submitted' : check.state
  return <Badge look={looks[state]}>{words.states[state]}</Badge>
}
