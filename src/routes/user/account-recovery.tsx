// /user/account-recovery: the target of the links in emails about a recovery of sign-in.
import { createFileRoute, redirect } from '@tanstack/react-router'
import * as v from 'valibot'
import { AccountRecovery, type RecoveryLink } from '#src/features/accounts/account-recovery.tsx'
import { recoveryText } from '#src/features/accounts/recovery-text.ts'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { createPersistedValue } from '#src/lib/persisted-value.ts'

const link = v.object({ is: v.picklist(['confirm', 'stop']), token: v.string() })
const secret = createPersistedValue(() => sessionStorage, 'todoke.account-recovery', link)
const optional = v.optional(v.fallback(v.string(), ''))

export const Route = createFileRoute('/user/account-recovery')({
  codeSplitGroupings: [['loader', 'component']],
  staticData: { access: 'open', layout: 'simple', title: 'ログインの復旧' },
  validateSearch: v.object({ token: optional, stop: optional }),
  loaderDeps: ({ search }) => search,
  loader: ({ deps }): RecoveryLink | null => {
    const given: RecoveryLink | undefined =
      deps.stop !== undefined
        ? { is: 'stop', token: deps.stop }
        : deps.token !== undefined
          ? { is: 'confirm', token: deps.token }
          : undefined
    if (!given) return secret.read() ?? null
    secret.save(given)
    // The secret leaves the address bar at once.
    throw redirect({ to: '/user/account-recovery', search: {}, replace: true })
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
