// /user/delete-account/waiting: the only page of a person whose account waits for its deletion.
import { createFileRoute, Link, redirect, useRouter } from '@tanstack/react-router'
import type { MembershipNote } from '#contract/memberships/memberships.ts'
import { ExportCard } from '#src/features/leaving/export-card.tsx'
import { validationPath } from '#src/features/leaving/password-validation.ts'
import { Waiting } from '#src/features/leaving/waiting.tsx'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { useMember } from '#src/domain/session/session.ts'
import { signOutDialog } from '#src/domain/session/sign-out.ts'
import { leavingText } from '#src/features/leaving/text.ts'
import { Button } from '#src/ui/button.tsx'
import { linkClass } from '#src/ui/text/link-class.ts'
import { toast } from '#src/ui/overlays/toast.ts'

const words = leavingText.waiting
const OWN_PATH = '/user/delete-account/waiting'

export const Route = createFileRoute('/user/delete-account/waiting')({
  staticData: { access: 'member', layout: 'simple', title: '削除の手続き中です', whileLeaving: true },
  async beforeLoad({ context }) {
    const seen = await context.viewer.checked()
    if (seen.is === 'authenticated' && seen.user.deletion_due === undefined)
      throw redirect({ to: '/user/delete-account', replace: true })
  },
  component: WaitingPage,
})

function WaitingPage() {
  const me = useMember()
  const { viewer } = Route.useRouteContext()
  const router = useRouter()
  async function leave(stopped: readonly MembershipNote[]) {
    await viewer.refreshNow()
    if (stopped.length === 0) {
      await router.navigate({ to: '/', replace: true })
      toast(words.undone, 'success')
      return
    }
    await router.navigate({ to: '/plan', search: { tab: 'joined' }, replace: true })
    toast(words.undoneStopped, 'success')
  }
  if (me?.deletion_due === undefined) return null
  return (
    <SimpleCard
      title={words.title}
      foot={
        <Button look="quiet" wide onClick={signOutDialog.open}>
          {words.signOut}
        </Button>
      }
    >
      <div className="flex flex-col gap-6">
        <Waiting name={me.name} due={Date.parse(me.deletion_due)} onUndone={leave} />
        <Link to="/user/delete-account/purchases" className={`${linkClass} self-start`}>
          {words.records}
        </Link>
        <ExportCard leaving onValidate={() => router.history.push(validationPath(OWN_PATH))} />
      </div>
    </SimpleCard>
  )
}
