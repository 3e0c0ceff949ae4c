// /user/verify-identity: photos of the document, and a recording of requested gestures.
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import * as v from 'valibot'
import { steps, type Step } from '#src/features/identity/step-names.ts'
import { VerifySteps } from '#src/features/identity/verify-steps.tsx'
import { searchText } from '#src/lib/search-text.ts'
import { useMember } from '#src/domain/session/session.ts'

export const Route = createFileRoute('/user/verify-identity')({
  staticData: { access: 'member', layout: 'head-title', title: '本人確認の手続き' },
  validateSearch: v.object({ step: searchText }),
  component: Page,
})

function Page() {
  const me = useMember()
  const { step } = Route.useSearch()
  const navigate = useNavigate()
  const show = (next: Step) => void navigate({ to: '/user/verify-identity', search: { step: next } })
  return (
    me && (
      <VerifySteps
        key={me.id}
        ownerId={me.id}
        wanted={steps.find((it) => it === step)}
        onStep={show}
        onRecorded={() => void navigate({ to: '/user/completed-live-action' })}
        onSubmitted={() => void navigate({ to: '/user/completed-identity', replace: true })}
      />
    )
  )
}
