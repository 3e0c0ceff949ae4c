// FeeRates: the fee of a creator, and a change of it from a day on.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { addFeeRate } from '#contract/adjustments/fee-rates.ts'
import { newId } from '#contract/ids.ts'
import { call } from '#src/domain/api/api.ts'
import { date } from '#src/lib/format.ts'
import { Button } from '#src/ui/button.tsx'
import { Field, TextInput } from '#src/ui/fields/field.tsx'
import type { Failed } from '#src/features/administration/check-list.tsx'
import { Waiting } from '#src/features/administration/waiting.tsx'
import { rateOf, ratesQuery } from './adjustments.ts'
import { PreviewSheet } from './preview-sheet.tsx'
import { isReason, ReasonField } from './reason-field.tsx'
import { adjustmentsText } from './text.ts'

const words = adjustmentsText.rates
const dayText = (day: string) => date(Date.parse(`${day}T00:00:00+09:00`))

interface FeeRatesProps {
  userId: string
  failed: Failed
  onUnconfirmed: () => void
}

export function FeeRates({ userId, failed, onUnconfirmed }: FeeRatesProps) {
  const reading = useQuery(ratesQuery(userId))
  const [open, setOpen] = useState(false)
  if (reading.isPending) return <Waiting />
  if (!reading.data) return failed(reading.error, reading.refetch)
  const { current, usual, rates } = reading.data
  const { percent } = adjustmentsText
  return (
    <section aria-labelledby="rates" className="px-4 pt-8">
      <h3 id="rates" className="font-semibold">
        {words.title}
      </h3>
      <p className="mt-1 tabular-nums">{words.current(percent(current), percent(usual))}</p>
      {rates.length === 0 ? (
        <p className="mt-1 text-sm text-soft">{words.none}</p>
      ) : (
        <ul aria-label={words.list} className="mt-2 border-t border-line">
          {rates.map((it) => (
            <li key={it.id} className="border-b border-line py-2 text-sm tabular-nums">
              {words.row(dayText(it.first_day), percent(it.rate))}
              <span className="block break-words text-soft">{it.reason}</span>
            </li>
          ))}
        </ul>
      )}
      <Button look="quiet" size="small" className="mt-3" onClick={() => setOpen(true)}>
        {words.act}
      </Button>
      {open && (
        <RateSheet
          userId={userId}
          onUnconfirmed={onUnconfirmed}
          onClose={() => setOpen(false)}
          onDone={() => {
            setOpen(false)
            void reading.refetch()
          }}
        />
      )}
    </section>
  )
}

interface RateSheetProps {
  userId: string
  onClose: () => void
  onDone: () => void
  onUnconfirmed: () => void
}

function RateSheet({ userId, ...rest }: RateSheetProps) {
  const [id] = useState(newId)
  const [typed, setTyped] = useState('')
  const [day, setDay] = useState('')
  const [reason, setReason] = useState('')
  const [pressed, setPressed] = useState(false)
  const [early, setEarly] = useState<string>()
  const rate = rateOf(typed)
  return (
    <PreviewSheet
      {...rest}
      open
      title={words.sheet}
      check={() => {
        setPressed(true)
        return rate !== undefined && day !== '' && isReason(reason)
      }}
      request={(preview) =>
        call(addFeeRate, {
          params: { user_id: userId },
          body: { id, first_day: day, rate: rate ?? 0, reason, preview },
        })
      }
      onRefused={() => setEarly(day)}
      facts={[
        [words.rate, adjustmentsText.percent(rate ?? 0)],
        [words.day, day === '' ? '' : dayText(day)],
        [adjustmentsText.reason, reason],
      ]}
      lead={words.lead}
      done={words.done}
    >
      <Field
        label={words.rate}
        hint={words.rateHint}
        error={pressed && rate === undefined ? words.rateProblem : undefined}
      >
        <TextInput inputMode="decimal" value={typed} onChange={(event) => setTyped(event.target.value)} />
      </Field>
      <Field label={words.day} hint={words.dayHint} error={dayProblem(day, pressed, early)}>
        <TextInput type="date" value={day} onChange={(event) => setDay(event.target.value)} />
      </Field>
      <ReasonField value={reason} onChange={setReason} pressed={pressed} hint={words.reasonHint} />
    </PreviewSheet>
  )
}

/** @param early the day that the server refused */
function dayProblem(day: string, pressed: boolean, early: string | undefined): string | undefined {
  if (pressed && day === '') return words.dayRequired
  return day !== '' && day === early ? words.tooEarly : undefined
}
