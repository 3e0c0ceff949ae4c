// /notify: the person's notifications.
import { createFileRoute } from '@tanstack/react-router'
import { NotifyList } from '#src/features/notify/notify-list.tsx'
import { NotifySkeleton } from '#src/features/notify/notify-skeleton.tsx'
import { PushBanner } from '#src/features/push/push-banner.tsx'
import { loadFailed } from '#src/features/shell/failures/load-failure.tsx'
import { useMember } from '#src/domain/session/session.ts'

export const Route = createFileRoute('/notify/')({
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent']],
  staticData: { access: 'member', layout: 'default', title: '通知' },
  pendingComponent: NotifySkeleton,
  component: Notify,
})

function Notify() {
  const me = useMember()
  return (
    <>
      {me && <PushBanner ownerId={me.id} />}
      <NotifyList failed={loadFailed} />
    </>
  )
}
