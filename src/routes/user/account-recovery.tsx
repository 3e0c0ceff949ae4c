// /user/account-recovery: the target of the links in emails about a recovery of sign-in.
import { createFileRoute } from '@tanstack/react-router'
import { AccountRecovery, type RecoveryLink } from '#src/features/accounts/account-recovery.tsx'
import { recoveryText } from '#src/features/accounts/recovery-text.ts'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { linkSecret } from '#src/domain/session/link-secret.ts'

export const Route = createFileRoute('/user/account-recovery')({
  codeSplitGroupings: [['loader', 'component']],
  staticData: { access: 'open', layout: 'simple', title: 'ログインの復旧', secret: 'todoke.recovery' },
  loader: (): RecoveryLink | null => {
    const { stop, token } = linkSecret('todoke.recovery').read() ?? {}
    if (stop !== undefined) return { is: 'stop', token: stop }
    return token === undefined ? null : { is: 'confirm', token }
  },
  component: Recovery,
})

function Recovery() {
  const given = Route.useLoaderData()
  return (
    <SimpleCard title={recoveryText.title} foot={null}>
      {given ? <AccountRecovery key={given.token} {...given} /> : <p>{recoveryText.without}</p>}
    </SimpleCard>
  )
}
