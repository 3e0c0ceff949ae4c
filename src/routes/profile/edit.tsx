// /profile/edit: the form of the own profile.
import { useQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { EditForm } from '#src/features/profiles/edit-form.tsx'
import { Pictures } from '#src/features/profiles/pictures.tsx'
import { picturesQuery, profileQuery } from '#src/features/profiles/profiles.ts'
import { ProfileSkeleton } from '#src/features/profiles/profile-skeleton.tsx'
import { LoadFailure } from '#src/features/shell/failures/load-failure.tsx'
import { useMember } from '#src/domain/session/session.ts'

export const Route = createFileRoute('/profile/edit')({
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'member', layout: 'head-title', title: 'プロフィールを編集' },
  loader: async ({ context: { queryClient, viewer } }) => {
    const seen = await viewer.checked()
    if (seen.is !== 'authenticated') return
    await Promise.all([
      queryClient.fetchQuery(profileQuery(seen.user.id)),
      queryClient.fetchQuery(picturesQuery),
    ])
  },
  pendingComponent: ProfileSkeleton,
  errorComponent: Failed,
  component: Edit,
})

function Edit() {
  const me = useMember()
  const navigate = useNavigate()
  const profile = useQuery({ ...profileQuery(me?.id ?? ''), enabled: me !== undefined }).data
  if (!me || !profile) return <ProfileSkeleton />
  return (
    <>
      <Pictures name={profile.name} />
      <EditForm
        profile={profile}
        onSaved={() => void navigate({ to: '/profile/$id', params: { id: me.id }, replace: true })}
      />
    </>
  )
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
