// ChargesFile: compares an uploaded list of charges, shows what it would apply, and applies it.
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ReplyOf } from '#contract/endpoint.ts'
import { listOperatorTasks, reconcileByAdmin } from '#contract/payments/operator-tasks.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { queriesOf } from '#src/domain/queries/query.ts'
import { Button } from '#src/ui/button.tsx'
import { FormError } from '#src/ui/fields/form-error.tsx'
import { ChargesPreview } from './charges-preview.tsx'
import { decodedCsv, partsOf } from './charges-text.ts'
import { tasksText } from './tasks/text.ts'

const words = tasksText.list

/** Largest file, bytes. */
const MAX_BYTES = 20 * 1024 * 1024

export type Compared = Required<ReplyOf<typeof reconcileByAdmin>>

/** Compares the parts of a list. @returns them together */
async function compared(parts: readonly string[], preview: boolean): Promise<Compared> {
  const all: Compared = { listed: 0, applied: 0, differences: 0, charges: [], done: true, waits: false }
  for (const text of parts) {
    const reply = await call(reconcileByAdmin, { body: { text, preview } })
    all.listed += reply.listed
    all.applied += reply.applied
    all.differences += reply.differences
    all.charges.push(...(reply.charges ?? []))
    all.done &&= reply.done ?? true
    all.waits ||= reply.waits ?? false
  }
  return all
}

/** The sentence of a comparison that was not only shown. */
const resultOf = (it: Compared): string => (it.waits ? words.asked : words.result(it))

function useComparison(onUnconfirmed: () => void) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [result, setResult] = useState<string>()
  const [shown, setShown] = useState<{ readonly parts: readonly string[]; readonly found: Compared }>()

  async function run(work: () => Promise<void>): Promise<void> {
    setBusy(true)
    setProblem(undefined)
    try {
      await work()
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      if (failure.code === 'validation_required') onUnconfirmed()
      else setProblem(sentences[failure.code] ?? errorText[failure.code])
    } finally {
      setBusy(false)
    }
  }

  const choose = (file: File) =>
    run(async () => {
      setResult(undefined)
      setShown(undefined)
      if (file.size > MAX_BYTES) return setProblem(words.tooLarge)
      const parts = partsOf(decodedCsv(await file.arrayBuffer()))
      const found = await compared(parts, true)
      if (found.applied === 0 && found.differences === 0) setResult(words.nothing(found.listed))
      else setShown({ parts, found })
    })
  const apply = () =>
    run(async () => {
      if (!shown) return
      setResult(resultOf(await compared(shown.parts, false)))
      setShown(undefined)
      void client.invalidateQueries(queriesOf(listOperatorTasks))
    })

  return { busy, problem, result, shown: shown?.found, choose, apply, cancel: () => setShown(undefined) }
}

const sentences: Partial<Record<ApiFailure['code'], string>> = {
  invalid: words.unreadable,
  forbidden: words.own,
}

export function ChargesFile({ onUnconfirmed }: { onUnconfirmed: () => void }) {
  const input = useRef<HTMLInputElement>(null)
  const { busy, problem, result, shown, choose, apply, cancel } = useComparison(onUnconfirmed)
  return (
    <section aria-labelledby="charges" className="mx-4 mt-6 rounded-field border border-line p-4">
      <h3 id="charges" className="font-semibold">
        {words.title}
      </h3>
      <p className="mt-1 mb-3 text-sm text-soft">{words.text}</p>
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv"
        aria-label={words.file}
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const file = event.target.files?.[0]
          if (file) void choose(file)
          // The same file can be chosen again.
          event.target.value = ''
        }}
      />
      <div className="grid gap-3">
        {shown ? (
          <ChargesPreview found={shown} busy={busy} onApply={() => void apply()} onCancel={cancel} />
        ) : (
          <Button
            look="quiet"
            size="small"
            className="justify-self-start"
            busy={busy}
            busyLabel={words.busy}
            onClick={() => input.current?.click()}
          >
            {words.file}
          </Button>
        )}
        <FormError sentence={problem} />
        <output className="empty:absolute">{result}</output>
      </div>
    </section>
  )
}
