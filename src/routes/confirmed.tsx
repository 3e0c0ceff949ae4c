// /confirmed: the target of a registration email's link.
import { createFileRoute, Link, useNavigate } from '@tanstack/react-router'
import { Confirmation } from '#src/features/accounts/confirmation.tsx'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { pathAfterRegistration } from '#src/features/accounts/account-steps.ts'
import { linkSecret } from '#src/domain/session/link-secret.ts'
import { useMember } from '#src/domain/session/session.ts'
import { accountText } from '#src/features/accounts/text.ts'
import { text } from '#src/domain/text/text.ts'
import { sessionText } from '#src/domain/session/text.ts'
import { buttonClass } from '#src/ui/button.tsx'

const words = accountText.confirm

export const Route = createFileRoute('/confirmed')({
  codeSplitGroupings: [['loader', 'component']],
  staticData: { access: 'open', layout: 'simple', title: '登録の確認', secret: 'todoke.confirmation' },
  loader: () => linkSecret('todoke.confirmation').read()?.['token'],
  component: Confirmed,
})

function Confirmed() {
  const token = Route.useLoaderData()
  const navigate = useNavigate()
  async function goOn(to: string | undefined) {
    if (to === undefined) pathAfterRegistration.remove()
    else pathAfterRegistration.save({ to })
    await navigate({ to: '/register/completed', replace: true })
  }
  return (
    <SimpleCard title={words.title} foot={null}>
      {token === undefined ? (
        <NoLink why={words.without} />
      ) : (
        <Confirmation
          key={token}
          token={token}
          onConfirmed={goOn}
          unusable={<NoLink why={words.unusable} />}
        />
      )}
    </SimpleCard>
  )
}

function NoLink({ why }: { why: string }) {
  const me = useMember()
  if (me) {
    return (
      <div className="flex flex-col gap-5">
        <p>{words.unusableSignedIn}</p>
        <Link to="/" className={buttonClass('seal', 'normal', true)}>
          {text.home}
        </Link>
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-3">
      <p className="mb-2">{why}</p>
      <Link to="/login" className={buttonClass('seal', 'normal', true)}>
        {sessionText.signIn}
      </Link>
      <Link to="/register" className={buttonClass('quiet', 'normal', true)}>
        {words.again}
      </Link>
    </div>
  )
}
