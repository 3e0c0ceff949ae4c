// StateMark: the state of a notice as a badge.
import type { NoticeState } from '#contract/notices/notice-states.ts'
import { Badge } from '#src/ui/badge.tsx'
import { noticesText as words } from './text.ts'

const looks = {
  draft: 'plain',
  scheduled: 'info',
  publishing: 'info',
  stopped: 'care',
  published: 'good',
  withdrawn: 'plain',
} as const satisfies Record<NoticeState, string>

export const StateMark = ({ state }: { state: NoticeState }) => (
  <Badge look={looks[state]}>{words.states[state]}</Badge>
)
