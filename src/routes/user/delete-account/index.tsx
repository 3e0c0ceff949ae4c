// /user/delete-account: explains and requests the account's deletion.
import { createFileRoute, useRouter } from '@tanstack/react-router'
import { ExportCard } from '#src/features/leaving/export-card.tsx'
import { Facts } from '#src/features/leaving/facts.tsx'
import { LeaveForm } from '#src/features/leaving/leave-form.tsx'
import { MoneyFacts } from '#src/features/leaving/money-facts.tsx'
import { validationPath } from '#src/features/leaving/password-validation.ts'
import { UnsentOnDevice } from '#src/features/leaving/unsent-on-device.tsx'
import { useMember } from '#src/domain/session/session.ts'
import { leavingText } from '#src/features/leaving/text.ts'

export const Route = createFileRoute('/user/delete-account/')({
  staticData: { access: 'member', layout: 'head-title', title: 'アカウントの削除' },
  component: DeleteAccount,
})

function DeleteAccount() {
  const me = useMember()
  const { viewer } = Route.useRouteContext()
  const router = useRouter()
  const prove = () => router.history.push(validationPath('/user/delete-account'))
  async function leave() {
    await viewer.refreshNow()
    await router.navigate({ to: '/user/delete-account/waiting', replace: true })
  }
  if (!me) return null
  return (
    <div className="flex flex-col gap-8 px-4 py-6">
      <Facts />
      <MoneyFacts />
      <section aria-labelledby="export-first" className="flex flex-col gap-2">
        <h2 id="export-first" className="font-semibold">
          {leavingText.exportFirst}
        </h2>
        <ExportCard onValidate={prove} />
      </section>
      <UnsentOnDevice ownerId={me.id} />
      <LeaveForm name={me.name} onValidate={prove} onRequested={leave} />
    </div>
  )
}
