// History: every change of the settings, with old and new values.
import { useInfiniteQuery } from '@tanstack/react-query'
import type { SettingHistory, SettingValue } from '#contract/administration/runtime-settings.ts'
import { loadMore } from '#src/domain/queries/load-more.ts'
import { dateTime, number } from '#src/lib/format.ts'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import type { Failed } from '#src/features/administration/check-list.tsx'
import { Part } from '#src/features/administration/part.tsx'
import { Waiting } from '#src/features/administration/waiting.tsx'
import { changesQuery } from './settings.ts'
import { settingsText } from './text.ts'

const words = settingsText.history

export function History({ failed }: { failed: Failed }) {
  const pages = useInfiniteQuery(changesQuery)
  if (pages.isPending) return <Waiting />
  if (!pages.data) return failed(pages.error, pages.refetch)
  const changes = pages.data.pages.flatMap((page) => page.changes)
  return (
    <Part title={words.title}>
      {changes.length === 0 ? (
        <p className="text-soft">{words.none}</p>
      ) : (
        <ol className="border-t border-line">
          {changes.map((it) => (
            <Change key={it.id} change={it} />
          ))}
        </ol>
      )}
      <LoadMore {...loadMore(pages, words.more)} />
    </Part>
  )
}

function valueText(name: SettingHistory['name'], value: SettingValue): string {
  if (value === null) return name === 'bar' ? words.noBar : words.usual
  if (typeof value === 'number') return number(value)
  if (typeof value === 'string') return settingsText.registration.modes[value]
  const { text, link, from, until } = value
  return words.bar(text, link ?? '', dateTime(Date.parse(from)), dateTime(Date.parse(until)))
}

function Change({ change: { name, from, to, by, at } }: { change: SettingHistory }) {
  return (
    <li className="border-b border-line py-3">
      <p className="font-semibold">{words.names[name]}</p>
      <p className="break-words tabular-nums">{words.change(valueText(name, from), valueText(name, to))}</p>
      <p className="text-sm text-soft tabular-nums">
        {words.by(by.name ?? words.gone, dateTime(Date.parse(at)))}
      </p>
    </li>
  )
}
