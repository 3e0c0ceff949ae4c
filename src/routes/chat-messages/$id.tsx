// /chat-messages/{id}: the messages with one person, whose id is in the address.
import { useSuspenseQuery } from '@tanstack/react-query'
import {
  createFileRoute,
  Navigate,
  useCanGoBack,
  useNavigate,
  useRouter,
  type ErrorComponentProps,
} from '@tanstack/react-router'
import * as v from 'valibot'
import { ConversationMenu } from '#src/features/messages/conversation-menu.tsx'
import { ThreadSkeleton } from '#src/features/messages/conversation-skeleton.tsx'
import { ConversationHead } from '#src/features/messages/head/conversation-head.tsx'
import { PresenceText, usePresence } from '#src/features/messages/head/presence.tsx'
import { enterSends, setEnterSends } from '#src/features/messages/keys/enter-sends.ts'
import { messagesText as words } from '#src/features/messages/text.ts'
import { Thread } from '#src/features/messages/thread.tsx'
import { HeadAction, HeadTitle } from '#src/features/shell/head-action.tsx'
import { LoadFailure } from '#src/features/shell/failures/load-failure.tsx'
import { isMissing } from '#src/domain/api/api.ts'
import { conversationQuery, messagesQuery } from '#src/domain/messages/message-queries.ts'
import { requestMessageReport } from '#src/domain/people/moderation-dialog.ts'
import { peopleText } from '#src/domain/people/text.ts'
import { useMember } from '#src/domain/session/session.ts'
import { useStore } from '#src/lib/store.ts'
import type { MenuItem } from '#src/ui/overlays/menu.tsx'
import { Button } from '#src/ui/button.tsx'
import { LostState } from '#src/ui/states/lost-state.tsx'

/** A place in a conversation: the sequence number of a message. */
const place = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(999_999_999))

export const Route = createFileRoute('/chat-messages/$id')({
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'member', layout: 'head-title', title: 'メッセージ' },
  validateSearch: v.object({
    seq: v.optional(v.fallback(v.optional(place), undefined)),
    /** From the reply button of a push: the field is focused. */
    reply: v.optional(v.fallback(v.optional(v.literal(1)), undefined)),
  }),
  loaderDeps: ({ search }) => ({ seq: search.seq }),
  loader: ({ context: { queryClient }, params: { id }, deps }) =>
    Promise.all([
      queryClient.ensureQueryData(conversationQuery(id)),
      queryClient.ensureInfiniteQueryData(messagesQuery(id, deps.seq)),
    ]),
  pendingComponent: ThreadSkeleton,
  errorComponent: Failed,
  component: Conversation,
})

function Conversation() {
  const me = useMember()
  const { id } = Route.useParams()
  const { seq, reply } = Route.useSearch()
  const navigate = useNavigate({ from: Route.fullPath })
  const router = useRouter()
  const canGoBack = useCanGoBack()
  if (!me) return null
  // No one writes to themself.
  if (me.id === id) return <Navigate to="/chat-messages/conversations" replace />
  const toList = () => void router.navigate({ to: '/chat-messages/conversations' })
  return (
    <>
      <Head id={id} onGone={toList} />
      <Thread
        key={id}
        ownId={me.id}
        userId={id}
        around={seq}
        isReplying={reply === 1}
        onJump={(next) => void navigate({ search: next === undefined ? {} : { seq: next }, replace: true })}
        onGone={toList}
        onBack={() => (canGoBack ? router.history.back() : toList())}
      />
    </>
  )
}

function Head({ id, onGone }: { id: string; onGone: () => void }) {
  const { data: view } = useSuspenseQuery(conversationQuery(id))
  const presence = usePresence(view)
  const byEnter = useStore(enterSends)
  const sending: MenuItem = {
    is: 'choice',
    label: words.enterSends,
    checked: byEnter,
    onSelect: () => setEnterSends(!byEnter),
  }
  return (
    <>
      <HeadTitle>
        <ConversationHead view={view} presence={presence} />
      </HeadTitle>
      <HeadAction>
        <ConversationMenu
          conversation={{ ...view, newest: view.last_seq }}
          onGone={onGone}
          more={[sending]}
          heading={presence && <PresenceText presence={presence} />}
        />
      </HeadAction>
    </>
  )
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  const { id } = Route.useParams()
  if (!isMissing(error)) return <LoadFailure error={error} onRetry={() => router.invalidate()} />
  return (
    <LostState
      title={words.notFound}
      text={words.notFoundText}
      link={{ to: '/chat-messages/conversations', label: words.toList }}
      action={
        <Button look="quiet" onClick={() => requestMessageReport({ id, name: words.other })}>
          {peopleText.reportMessages}
        </Button>
      }
    />
  )
}
