// ResultsFile: records the results of a transfer file that the bank has returned.
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { importPayoutResults, listAdminPayouts, MAX_RESULT_TEXT } from '#contract/payouts/admin-payouts.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { queriesOf } from '#src/domain/queries/query.ts'
import { Button } from '#src/ui/button.tsx'
import { FormError } from '#src/ui/fields/form-error.tsx'
import { payoutsText } from './payouts-text.ts'

const words = payoutsText.results

/** Base64 has four characters for three bytes. */
const MAX_BYTES = Math.floor(MAX_RESULT_TEXT / 4) * 3

async function base64Of(file: File): Promise<string> {
  let text = ''
  for (const byte of new Uint8Array(await file.arrayBuffer())) text += String.fromCharCode(byte)
  return btoa(text)
}

function useResults(onUnconfirmed: () => void) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [result, setResult] = useState<string>()

  async function choose(file: File | undefined): Promise<void> {
    if (!file) return
    setProblem(undefined)
    setResult(undefined)
    if (file.size > MAX_BYTES) return setProblem(words.tooLarge)
    setBusy(true)
    try {
      const { paid, returned, unknown } = await call(importPayoutResults, {
        body: { file: await base64Of(file) },
      })
      setResult(words.result(paid, returned))
      if (unknown.length > 0) setProblem(words.unknown(unknown.join('、')))
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      if (failure.code === 'validation_required') onUnconfirmed()
      else setProblem(problemOf(failure))
    } finally {
      setBusy(false)
      void client.invalidateQueries(queriesOf(listAdminPayouts))
    }
  }

  return { busy, problem, result, choose }
}

/** The sentence of a refused file. Its fields name lines, a field of the header, or a payout with its field. */
function problemOf({ code, fields }: ApiFailure): string {
  if (code !== 'invalid' && code !== 'forbidden') return errorText[code]
  const names = Object.keys(fields ?? {}).map((it) => it.split(' '))
  const [, payout = '', field = ''] = names.find(([of]) => of === 'payout') ?? []
  const number = payoutsText.number(Number(payout))
  if (code === 'forbidden') return payout === '' ? errorText[code] : words.own(number)
  if (payout !== '') return words.differs(number, words.fields[field] ?? '')
  const [, ofHeader] = names.find(([of]) => of === 'header') ?? []
  if (ofHeader !== undefined) return words.header(words.fields[ofHeader] ?? '')
  const lines = names.flatMap(([of, line]) => (of === 'line' && line !== undefined ? [line] : []))
  return words.unreadable(lines.length === 0 ? '' : words.lines(lines.join('、')))
}

export function ResultsFile({ onUnconfirmed }: { onUnconfirmed: () => void }) {
  const input = useRef<HTMLInputElement>(null)
  const { busy, problem, result, choose } = useResults(onUnconfirmed)
  return (
    <section aria-labelledby="results" className="mx-4 mt-4 rounded-field border border-line p-4">
      <h3 id="results" className="font-semibold">
        {words.title}
      </h3>
      <p className="mt-1 mb-3 text-sm text-soft">{words.text}</p>
      <input
        ref={input}
        type="file"
        aria-label={words.choose}
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          void choose(event.target.files?.[0])
          // The same file can be chosen again.
          event.target.value = ''
        }}
      />
      <div className="flex flex-col items-start gap-3">
        <Button
          look="quiet"
          size="small"
          busy={busy}
          busyLabel={words.busy}
          onClick={() => input.current?.click()}
        >
          {words.choose}
        </Button>
        <FormError sentence={problem} />
        <output className="empty:absolute">{result}</output>
      </div>
    </section>
  )
}
