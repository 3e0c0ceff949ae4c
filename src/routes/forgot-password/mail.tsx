// /forgot-password/mail: the target of a reset email's link. Opening it changes nothing.
import {
  createFileRoute,
  Link,
  useNavigate,
  useRouter,
  type ErrorComponentProps,
} from '@tanstack/react-router'
import { readResetMail } from '#contract/accounts/reset-mail.ts'
import { ResetMail } from '#src/features/accounts/reset-mail.tsx'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { LoadFailure } from '#src/features/shell/failures/load-failure.tsx'
import { saveResetRequest } from '#src/features/accounts/account-steps.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { linkSecret } from '#src/domain/session/link-secret.ts'
import { accountText } from '#src/features/accounts/text.ts'
import { text } from '#src/domain/text/text.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { Skeleton } from '#src/ui/states/skeleton.tsx'

const words = accountText.resetMail

export const Route = createFileRoute('/forgot-password/mail')({
  codeSplitGroupings: [['loader', 'component', 'pendingComponent', 'errorComponent']],
  staticData: {
    access: 'open',
    layout: 'simple',
    title: 'コードの受け取りと停止',
    secret: 'todoke.reset-mail',
  },
  loader: async () => {
    const token = linkSecret('todoke.reset-mail').read()?.['token']
    return token === undefined ? ({ is: 'without' } as const) : stateOf(token)
  },
  pendingComponent: Pending,
  errorComponent: Failed,
  component: Mail,
})

async function stateOf(token: string) {
  try {
    return { is: 'usable', token, ...(await call(readResetMail, { body: { token } })) } as const
  } catch (failure) {
    const codes = ['link_invalid', 'invalid']
    if (failure instanceof ApiFailure && codes.includes(failure.code)) return { is: 'unusable' } as const
    throw failure
  }
}

function Pending() {
  return (
    <SimpleCard title={words.title} foot={null}>
      <output aria-label={text.loading} className="mt-8 flex flex-col gap-3">
        <Skeleton className="h-5 w-40" />
        <Skeleton className="h-12 w-full" />
      </output>
    </SimpleCard>
  )
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <SimpleCard title={words.title} foot={null}>
      <LoadFailure error={error} onRetry={() => router.invalidate()} />
    </SimpleCard>
  )
}

function Mail() {
  const state = Route.useLoaderData()
  const navigate = useNavigate()
  if (state.is !== 'usable')
    return (
      <SimpleCard title={words.title} foot={null}>
        <p className="mb-6">{words[state.is]}</p>
        <Link to="/forgot-password/step-1" className={buttonClass('seal', 'normal', true)}>
          {words.toReset}
        </Link>
      </SimpleCard>
    )
  return (
    <SimpleCard title={words.title} foot={null}>
      <ResetMail
        key={state.token}
        {...state}
        onRequested={async (reply) => {
          saveResetRequest(state.email, reply)
          await navigate({ to: '/forgot-password/step-2' })
        }}
      />
    </SimpleCard>
  )
}
