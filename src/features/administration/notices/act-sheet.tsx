// ActSheet: asks before a notice is published, scheduled, resumed, withdrawn or deleted.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { NoticeAct, NoticeDetail } from '#contract/notices/admin-notices.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Field, TextInput } from '#src/ui/fields/field.tsx'
import { FormError } from '#src/ui/fields/form-error.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { localTime, momentOf } from './notice-form.ts'
import { audienceQuery, useNoticeChange } from './notices.ts'
import { noticesText as words } from './text.ts'

export type SheetAct = Exclude<NoticeAct, 'stop' | 'unschedule'> | 'remove'

interface ActSheetProps {
  notice: NoticeDetail
  act: SheetAct
  onClose: () => void
  onUnconfirmed: () => void
  onRemoved: () => void
}

const reachesPeople = (act: SheetAct) => act === 'publish' || act === 'schedule'

/** What is typed stays while the person confirms who they are. */
export function ActSheet(props: ActSheetProps) {
  const { notice, act: chosen, onClose } = props
  const { at, setAt, problem, timeProblem, busy, confirm } = useAct(props)
  const label = chosen === 'remove' ? words.remove : words.acts[chosen]
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && !busy && onClose()}
      title={label}
      description={words.sheets[chosen]}
      closeLabel={text.close}
      footer={
        <div className="grid grid-cols-2 gap-3">
          <Button look="quiet" wide disabled={busy} onClick={onClose}>
            {words.cancel}
          </Button>
          <Button look="ink" wide busy={busy} busyLabel={text.working} onClick={() => void confirm()}>
            {label}
          </Button>
        </div>
      }
    >
      <div className="flex flex-col gap-5">
        {chosen === 'schedule' && (
          <Field label={words.at} error={timeProblem}>
            <TextInput type="datetime-local" value={at} onChange={({ target }) => setAt(target.value)} />
          </Field>
        )}
        {reachesPeople(chosen) && <Facts notice={notice} />}
        <FormError sentence={problem} />
      </div>
    </Sheet>
  )
}

function useAct({ notice, act: chosen, onClose, onUnconfirmed, onRemoved }: ActSheetProps) {
  const isScheduled = notice.state === 'scheduled' && notice.published_at !== null
  const [at, setAt] = useState(isScheduled ? localTime(notice.published_at ?? '') : '')
  const [problem, setProblem] = useState<string>()
  const [timeProblem, setTimeProblem] = useState<string>()
  const { busy, act, remove } = useNoticeChange(onUnconfirmed)

  async function confirm(): Promise<void> {
    setProblem(undefined)
    if (chosen === 'remove') {
      if (await remove(notice.id)) onRemoved()
      return
    }
    const moment = chosen === 'schedule' ? momentOf(at) : null
    if (chosen === 'schedule' && moment === null) return setTimeProblem(words.problems.at)
    const result = await act(notice.id, { act: chosen, revision: notice.revision, at: moment })
    if (result.is === 'done') {
      toast(words.done[chosen], 'success')
      onClose()
    }
    if (result.is !== 'refused') return
    if (result.fields['at']) setTimeProblem(words.problems.at)
    if (result.fields['body']) setProblem(words.problems.bodyRequired)
    if (result.fields['is_advertising']) setProblem(words.problems.operator)
  }

  return {
    at,
    setAt(value: string) {
      setAt(value)
      setTimeProblem(undefined)
    },
    problem,
    timeProblem,
    busy,
    confirm,
  }
}

function Facts({ notice }: { notice: NoticeDetail }) {
  const { audience, audience_names: names, pushes, mails, is_advertising: advertising } = notice
  const counted = useQuery(audienceQuery(audience)).data
  const channels = [words.inApp, pushes && words.pushName, mails && words.mailName].filter(
    (it) => it !== false,
  )
  const whom = [words.audiences[audience.is], names.creator, names.plan].filter((it) => it !== null)
  const rows: [string, string][] = [
    [words.facts.audience, whom.join('・')],
    [words.facts.people, counted ? words.people(counted.people) : '…'],
    ...(advertising
      ? [[words.facts.consenting, counted ? words.people(counted.consenting) : '…'] as [string, string]]
      : []),
    [words.facts.channels, channels.join('、')],
  ]
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-sm text-soft">{name}</dt>
          <dd className="min-w-0 break-words tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
