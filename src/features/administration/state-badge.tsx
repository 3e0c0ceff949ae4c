// StateBadge: the state of an identity check, in one word.
import type { CheckState } from '#contract/identity/identity.ts'
import { administrationText as words } from './text.ts'
import { Badge } from '#src/ui/badge.tsx'

const looks = { submitted: 'care', in_review: 'info', approved: 'good', rejected: 'plain' } as const

export function StateBadge({ state }: { state: CheckState }) {
  return <Badge look={looks[state]}>{words.states[state]}</Badge>
}
