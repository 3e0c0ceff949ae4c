// NoticeSettings: push, email and advertising of notices of the operator.
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import {
  changeNoticeSettings,
  getNoticeSettings,
  type NoticeSettings as Settings,
} from '#contract/notices/notice-settings.ts'
import { call } from '#src/domain/api/api.ts'
import { queryFor } from '#src/domain/queries/query.ts'
import { date } from '#src/lib/format.ts'
import { Toggle } from '#src/ui/fields/toggle.tsx'
import { showFailure } from './settings.ts'
import { noticeSettingsText as words } from './text.ts'

export const noticeSettingsQuery = queryFor(getNoticeSettings, {})

const choices = ['push', 'mail', 'advertising'] as const

export function NoticeSettings() {
  const settings = useSuspenseQuery(noticeSettingsQuery).data
  const client = useQueryClient()
  const show = (next: Settings) => client.setQueryData(noticeSettingsQuery.queryKey, next)

  async function change(choice: (typeof choices)[number], on: boolean) {
    show({ ...settings, [choice]: on })
    try {
      show(await call(changeNoticeSettings, { body: { [choice]: on } }))
    } catch (failure) {
      showFailure(failure)
      void client.invalidateQueries(noticeSettingsQuery)
    }
  }

  const since = settings.advertising_since
  return (
    <section aria-labelledby="notice-settings" className="pb-16">
      <h2 id="notice-settings" className="px-4 pb-1 font-semibold">
        {words.title}
      </h2>
      <p className="px-4 pb-3 text-sm text-soft">{words.lead}</p>
      <ul className="border-t border-line">
        {choices.map((choice) => (
          <li key={choice} className="flex min-h-14 items-center gap-3 border-b border-line px-4 py-2">
            <div className="min-w-0 flex-1">
              <p id={`notice-${choice}`}>{words[choice]}</p>
              {choice === 'advertising' && (
                <p id="notice-consent" className="text-sm text-soft">
                  {since === null ? words.advertisingHint : words.since(date(Date.parse(since)))}
                </p>
              )}
            </div>
            <Toggle
              label={words[choice]}
              checked={settings[choice]}
              describedBy={choice === 'advertising' ? 'notice-consent' : undefined}
              onChange={(on) => void change(choice, on)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
