// /notify/detail/{id}: a notice of the service.
import { createFileRoute, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import * as v from 'valibot'
import { id as idSchema } from '#contract/ids.ts'
import { Notice, NoticeNotFound } from '#src/features/notify/notice.tsx'
import { noticeQuery } from '#src/features/notify/notifications.ts'
import { NotifySkeleton } from '#src/features/notify/notify-skeleton.tsx'
import { LoadFailure } from '#src/features/shell/failures/load-failure.tsx'
import { isMissing } from '#src/domain/api/api.ts'

export const Route = createFileRoute('/notify/detail/$id')({
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'member', layout: 'head-title', title: 'お知らせ' },
  loader: async ({ context, params }) => {
    if (!v.is(idSchema, params.id)) return { there: false }
    try {
      await context.queryClient.ensureQueryData(noticeQuery(params.id))
      return { there: true }
    } catch (error) {
      if (isMissing(error)) return { there: false }
      throw error
    }
  },
  pendingComponent: NotifySkeleton,
  errorComponent: Failed,
  component: Page,
})

function Page() {
  const { id } = Route.useParams()
  return Route.useLoaderData().there ? <Notice key={id} id={id} /> : <NoticeNotFound />
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  // The notice was shown from the device before the server said that it was withdrawn.
  if (isMissing(error)) return <NoticeNotFound />
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
