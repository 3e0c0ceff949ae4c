// /user/delete-account/undo: the target of a deletion email's link.
import { createFileRoute, Link } from '@tanstack/react-router'
import { UndoByLink } from '#src/features/leaving/undo-by-link.tsx'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { linkSecret } from '#src/domain/session/link-secret.ts'
import { useMember } from '#src/domain/session/session.ts'
import { leavingText } from '#src/features/leaving/text.ts'
import { buttonClass } from '#src/ui/button.tsx'

const words = leavingText.link

export const Route = createFileRoute('/user/delete-account/undo')({
  codeSplitGroupings: [['loader', 'component']],
  staticData: { access: 'open', layout: 'simple', title: '削除の取り消し', secret: 'todoke.undo' },
  loader: () => linkSecret('todoke.undo').read()?.['token'],
  component: Undo,
})

function Undo() {
  const token = Route.useLoaderData()
  const { viewer } = Route.useRouteContext()
  async function over(undone: boolean) {
    linkSecret('todoke.undo').remove()
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
        <UndoByLink
          key={token}
          token={token}
          onOver={over}
          links={<Links />}
          plansLinks={<Links hasStopped />}
        />
      )}
    </SimpleCard>
  )
}

/** @param hasStopped whether the person has plans that they may want to go on with */
function Links({ hasStopped = false }: { hasStopped?: boolean }) {
  const me = useMember()
  if (me && hasStopped)
    return (
      <Link to="/plan" search={{ tab: 'joined' }} className={buttonClass('seal', 'normal', true)}>
        {words.toPlans}
      </Link>
    )
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
