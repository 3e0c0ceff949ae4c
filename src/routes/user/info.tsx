// /user/info: the person's account information.
import { createFileRoute, Link, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { OwnInfo } from '#src/features/settings/own-info.tsx'
import { ownInfoQuery } from '#src/features/settings/settings.ts'
import { SettingsSkeleton } from '#src/features/settings/settings-skeleton.tsx'
import { LoadFailure } from '#src/features/shell/failures/load-failure.tsx'
import { infoText } from '#src/features/settings/text.ts'
import { linkClass } from '#src/ui/text/link-class.ts'

export const Route = createFileRoute('/user/info')({
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'member', layout: 'head-title', title: 'アカウント情報' },
  loader: ({ context }) => context.queryClient.ensureQueryData(ownInfoQuery),
  pendingComponent: SettingsSkeleton,
  errorComponent: Failed,
  component: Info,
})

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}

function Info() {
  return (
    <OwnInfo
      emailLink={
        <Link to="/user/change-email" className={linkClass}>
          {infoText.changeEmail}
        </Link>
      }
    />
  )
}
