// TransferFiles: makes the transfer file of approved payouts, and lists those that were made.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { newId } from '#contract/ids.ts'
import { exportPayouts, listAdminPayouts, listPayoutExports } from '#contract/payouts/admin-payouts.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { queriesOf } from '#src/domain/queries/query.ts'
import { text } from '#src/domain/text/text.ts'
import { isoDay, yen } from '#src/lib/format.ts'
import { Button } from '#src/ui/button.tsx'
import { Field, TextInput } from '#src/ui/fields/field.tsx'
import { FormError } from '#src/ui/fields/form-error.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { exportsQuery } from './payouts.ts'
import { payoutsText } from './payouts-text.ts'
import { TransferFileRow } from './transfer-file-row.tsx'

const words = payoutsText.file

interface TransferFilesProps {
  canMake: boolean
  hasRequester: boolean
  onUnconfirmed: () => void
}

export function TransferFiles({ canMake, hasRequester, onUnconfirmed }: TransferFilesProps) {
  return (
    <section aria-labelledby="files" className="mx-4 mt-6 rounded-field border border-line p-4">
      <h3 id="files" className="font-semibold">
        {words.title}
      </h3>
      <p className="mt-1 mb-3 text-sm text-soft">{hasRequester ? words.text : words.noRequester}</p>
      {canMake && hasRequester && <Make onUnconfirmed={onUnconfirmed} />}
      <Files onUnconfirmed={onUnconfirmed} />
    </section>
  )
}

function useMaking(onUnconfirmed: () => void) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  /** Chosen once, so that a request whose reply was lost makes no second file. */
  const [id, setId] = useState(newId)

  async function make(day: string): Promise<void> {
    setBusy(true)
    setProblem(undefined)
    try {
      const { count, total, left_out: leftOut } = await call(exportPayouts, { body: { id, day } })
      setId(newId())
      toast(words.made(count, yen(total)), 'success')
      if (leftOut.length > 0) setProblem(words.leftOutMade(leftOut.length))
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      if (failure.code === 'validation_required') onUnconfirmed()
      else setProblem(problemOf(failure))
    } finally {
      setBusy(false)
      for (const it of [listAdminPayouts, listPayoutExports]) void client.invalidateQueries(queriesOf(it))
    }
  }

  return { busy, problem, make }
}

function problemOf({ code, fields }: ApiFailure): string {
  if (code === 'conflict') return words.nothing
  if (code === 'unavailable') return words.noRequester
  if (code !== 'invalid') return errorText[code]
  const payout = Object.keys(fields ?? {}).find((it) => it.startsWith('payout '))
  return payout === undefined
    ? words.dayInvalid
    : words.refused(payoutsText.number(Number(payout.slice('payout '.length))))
}

function Make({ onUnconfirmed }: { onUnconfirmed: () => void }) {
  const { busy, problem, make } = useMaking(onUnconfirmed)
  const [day, setDay] = useState(() => isoDay(Date.now()))
  return (
    <form
      noValidate
      className="flex flex-col items-start gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        void make(day)
      }}
    >
      <Field label={words.day} className="max-w-60">
        <TextInput type="date" value={day} onChange={(event) => setDay(event.target.value)} />
      </Field>
      <FormError sentence={problem} />
      <Button type="submit" look="ink" busy={busy} busyLabel={text.working}>
        {words.make}
      </Button>
    </form>
  )
}

function Files({ onUnconfirmed }: { onUnconfirmed: () => void }) {
  const made = useQuery(exportsQuery).data?.exports ?? []
  if (made.length === 0) return null
  return (
    <>
      <h4 id="made" className="mt-5 text-sm font-semibold">
        {words.list}
      </h4>
      <ul aria-labelledby="made" className="mt-1 border-t border-line">
        {made.map((it) => (
          <TransferFileRow key={it.id} file={it} onUnconfirmed={onUnconfirmed} />
        ))}
      </ul>
    </>
  )
}
