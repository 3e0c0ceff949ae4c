// /settings/notification: which notifications are given, and where.
import { createFileRoute, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { PushCard } from '#src/features/push/push-card.tsx'
import { NoticeSettings, noticeSettingsQuery } from '#src/features/settings/notice-settings.tsx'
import { NotificationTable } from '#src/features/settings/notification-table.tsx'
import { notificationQuery } from '#src/features/settings/settings.ts'
import { SettingsSkeleton } from '#src/features/settings/settings-skeleton.tsx'
import { LoadFailure } from '#src/features/shell/failures/load-failure.tsx'
import { useMember } from '#src/domain/session/session.ts'

export const Route = createFileRoute('/settings/notification')({
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'member', layout: 'head-title', title: '通知の設定' },
  loader: ({ context: { queryClient } }) =>
    Promise.all([
      queryClient.ensureQueryData(notificationQuery),
      queryClient.ensureQueryData(noticeSettingsQuery),
    ]),
  pendingComponent: () => <SettingsSkeleton rows={10} />,
  errorComponent: Failed,
  component: Notification,
})

function Notification() {
  const me = useMember()
  return (
    <>
      {me && <PushCard ownerId={me.id} />}
      <NotificationTable />
      <NoticeSettings />
    </>
  )
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
