// SettingsPage: settings that change while the servers run, invitations and history.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Failed } from '#src/features/administration/check-list.tsx'
import { ConfirmSheet } from '#src/features/administration/confirm-sheet.tsx'
import type { Confirms } from '#src/features/administration/evidence.tsx'
import { KeysSheet } from '#src/features/administration/keys-sheet.tsx'
import { useListKeys } from '#src/features/administration/list-keys.ts'
import { administrationText } from '#src/features/administration/text.ts'
import { Waiting } from '#src/features/administration/waiting.tsx'
import { BarForm } from './bar-form.tsx'
import { History } from './history.tsx'
import { Invitations } from './invitations.tsx'
import { LimitsForm } from './limits-form.tsx'
import { RegistrationForm } from './registration-form.tsx'
import { type SettingActs, settingsQuery, useSettingActs } from './settings.ts'
import { settingsText as words } from './text.ts'

interface SettingsPageProps {
  failed: Failed
  Confirmation: Confirms
}

export function SettingsPage({ failed, Confirmation }: SettingsPageProps) {
  const list = useRef<HTMLDivElement>(null)
  const [help, setHelp] = useState(false)
  const [confirming, setConfirming] = useState(false)
  const acts = useSettingActs(() => setConfirming(true))
  useListKeys({ list, onHelp: () => setHelp(true) })
  return (
    <section aria-labelledby="settings" className="pb-16">
      <Link to="/administration" className="inline-flex min-h-11 items-center gap-1 px-3 pt-2 font-semibold">
        <ChevronLeft aria-hidden size={20} />
        {administrationText.toDesk}
      </Link>
      <h2 id="settings" className="px-4 pt-3 pb-2 text-lg font-semibold">
        {words.title}
      </h2>
      <p className="px-4 text-soft">{words.lead}</p>
      <div ref={list}>
        <Forms acts={acts} failed={failed} />
        <Invitations acts={acts} failed={failed} />
        <History failed={failed} />
      </div>
      <ConfirmSheet
        description={words.confirm}
        open={confirming}
        onOpenChange={setConfirming}
        Confirmation={Confirmation}
      />
      <KeysSheet open={help} onClose={() => setHelp(false)} />
    </section>
  )
}

/** Each form begins anew with a changed value, and keeps what is typed otherwise. */
function Forms({ acts, failed }: { acts: SettingActs; failed: Failed }) {
  const reading = useQuery(settingsQuery)
  if (reading.isPending) return <Waiting />
  if (!reading.data) return failed(reading.error, reading.refetch)
  const { registration, bar, limits } = reading.data
  return (
    <>
      <RegistrationForm key={registration} mode={registration} acts={acts} />
      <BarForm key={JSON.stringify(bar)} bar={bar} readAt={reading.dataUpdatedAt} acts={acts} />
      <LimitsForm key={limits.map((it) => it.value).join()} limits={limits} acts={acts} />
    </>
  )
}
