// /user/delete-account/undo: the target of a deletion email's link.
import { createFileRoute, Link, redirect } from '@tanstack/react-router'
import * as v from 'valibot'
import { UndoByLink } from '#src/features/leaving/undo-by-link.tsx'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { createPersistedValue } from '#src/lib/persisted-value.ts'
import { useMember } from '#src/domain/session/session.ts'
import { leavingText } from '#src/features/leaving/text.ts'
import { buttonClass } from '#src/ui/button.tsx'

const words = leavingText.link
const secret = createPersistedValue(() => sessionStorage, 'todoke.undo', v.object({ token: v.string() }))

export const Route = createFileRoute('/user/delete-account/undo')({
  codeSplitGroupings: [['loader', 'component']],
  staticData: { access: 'open', layout: 'simple', title: '削除の取り消し' },
  validateSearch: v.object({ token: v.optional(v.fallback(v.string(), '')) }),
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => {
    if (deps.token === undefined) return secret.read()?.token
    secret.save({ token: deps.token })
    throw redirect({ to: '/user/delete-account/undo', search: {}, replace: true })
  },
  component: Undo,
})

function Undo() {
  const token = Route.useLoaderData()
  const { viewer } = Route.useRouteContext()
  async function over(undone: boolean) {
    secret.remove()
    if (undone) await viewer.refreshNow()
  }
  return (
    <SimpleCard title={words.title} foot={null}>
      {token === undefined ? (
        <div className="flex flex-col gap-5">
          <p>{words.without}</p>
          <Links />
        </div>
      ) : (
        <UndoByLink key={token} token={token} onOver={over} links={<Links />} />
      )}
    </SimpleCard>
  )
}

function Links() {
  const me = useMember()
  return me ? (
    <Link to="/" className={buttonClass('seal', 'normal', true)}>
      {words.home}
    </Link>
  ) : (
    <Link to="/login" className={buttonClass('seal', 'normal', true)}>
      {words.signIn}
    </Link>
  )
}
