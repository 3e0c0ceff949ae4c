// /register/completed: the account exists; next steps.
import { createFileRoute, Link } from '@tanstack/react-router'
import { NextSteps } from '#src/features/accounts/next-steps.tsx'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { pathAfterRegistration } from '#src/features/accounts/account-steps.ts'
import { useMember } from '#src/domain/session/session.ts'
import { accountText } from '#src/features/accounts/text.ts'
import { text } from '#src/domain/text/text.ts'
import { returnPath } from '#src/domain/session/wanted-path.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { linkClass } from '#src/ui/text/link-class.ts'

const words = accountText.completed

export const Route = createFileRoute('/register/completed')({
  codeSplitGroupings: [['loader', 'component']],
  staticData: { access: 'member', layout: 'simple', title: '登録が完了しました' },
  loader: () => returnPath(pathAfterRegistration.read()?.to),
  component: Completed,
})

function Completed() {
  const wanted = Route.useLoaderData()
  const me = useMember()
  if (!me) return null
  return (
    <SimpleCard
      title={words.title}
      foot={
        <Link to={wanted} className={buttonClass('seal', 'normal', true)}>
          {wanted === '/' ? text.home : words.wanted}
        </Link>
      }
    >
      <p className="mb-5">{words.welcome(me.name)}</p>
      <NextSteps
        profile={
          <Link to="/profile/$id" params={{ id: me.id }} className={linkClass}>
            {words.profile}
          </Link>
        }
        post={
          <Link to="/post/upload2" className={linkClass}>
            {words.post}
          </Link>
        }
      />
    </SimpleCard>
  )
}
