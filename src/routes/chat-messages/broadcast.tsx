// /chat-messages/broadcast: messages to the members of own plans.
import { createFileRoute } from '@tanstack/react-router'
import * as v from 'valibot'
import { BroadcastPage } from '#src/features/messages/broadcast/broadcast-page.tsx'
import { loadFailed } from '#src/features/shell/failures/load-failure.tsx'
import { useMember } from '#src/domain/session/session.ts'
import { searchId } from '#src/lib/search-text.ts'

export const Route = createFileRoute('/chat-messages/broadcast')({
  codeSplitGroupings: [['component']],
  staticData: { access: 'member', layout: 'head-title', title: '一斉送信' },
  /** What is chosen at first. */
  validateSearch: v.object({ plan: searchId, post: searchId }),
  component: Broadcast,
})

function Broadcast() {
  const me = useMember()
  const { plan, post } = Route.useSearch()
  if (!me) return null
  return <BroadcastPage ownId={me.id} preset={{ plan, post }} failed={loadFailed} />
}
