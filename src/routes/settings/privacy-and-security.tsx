// /settings/privacy-and-security: privacy, sign-in methods, sessions and own data.
import { KeyRound, Mail } from 'lucide-react'
import { createFileRoute, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { SessionList, sessionsQuery } from '#src/features/devices/session-list.tsx'
import { PasskeyList, passkeysQuery } from '#src/features/passkeys/passkey-list.tsx'
import { OwnData } from '#src/features/leaving/own-data.tsx'
import { validationPath } from '#src/features/leaving/password-validation.ts'
import { secondFactorQuery } from '#src/features/second-factor/manage.ts'
import { SecondFactor } from '#src/features/second-factor/second-factor.tsx'
import { Privacy } from '#src/features/settings/privacy.tsx'
import { privacyQuery } from '#src/features/settings/settings.ts'
import { SettingsSkeleton } from '#src/features/settings/settings-skeleton.tsx'
import { LoadFailure } from '#src/features/shell/failures/load-failure.tsx'
import { privacyText, settingsText } from '#src/features/settings/text.ts'
import { Row, Rows } from '#src/ui/rows.tsx'

const { rows } = settingsText

export const Route = createFileRoute('/settings/privacy-and-security')({
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'member', layout: 'head-title', title: 'プライバシーと安全' },
  loader: ({ context: { queryClient } }) =>
    Promise.all([
      queryClient.ensureQueryData(privacyQuery),
      queryClient.ensureQueryData(sessionsQuery()),
      queryClient.ensureQueryData(passkeysQuery()),
      queryClient.ensureQueryData(secondFactorQuery()),
    ]),
  pendingComponent: SettingsSkeleton,
  errorComponent: Failed,
  component: PrivacyAndSecurity,
})

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}

function PrivacyAndSecurity() {
  const router = useRouter()
  const prove = () => router.history.push(validationPath('/settings/privacy-and-security'))
  return (
    <div className="pb-16">
      <Privacy />
      <div className="mt-10">
        <Rows label={privacyText.signIn}>
          <Row to="/user/change-email" title={rows.email} icon={<Mail aria-hidden size={20} />} />
          <Row to="/user/change-password" title={rows.password} icon={<KeyRound aria-hidden size={20} />} />
        </Rows>
      </div>
      <PasskeyList onValidate={prove} />
      <SecondFactor onValidate={prove} />
      <SessionList />
      <OwnData onValidate={prove} />
    </div>
  )
}
