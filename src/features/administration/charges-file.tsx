// ChargesFile: compares a list of charges, downloaded from the provider, with the recorded ones.
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { listOperatorTasks, reconcileByAdmin } from '#contract/payments/operator-tasks.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { queriesOf } from '#src/domain/queries/query.ts'
import { Button } from '#src/ui/button.tsx'
import { FormError } from '#src/ui/fields/form-error.tsx'
import { decodedCsv, partsOf } from './charges-text.ts'
import { tasksText } from './tasks-text.ts'

const words = tasksText.list

/** Largest file, bytes. */
const MAX_BYTES = 20 * 1024 * 1024

/** Compares a chosen file. */
function useComparison() {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [result, setResult] = useState<string>()

  async function compare(file: File): Promise<void> {
    const sums = { listed: 0, applied: 0, differences: 0 }
    for (const text of partsOf(decodedCsv(await file.arrayBuffer()))) {
      const { listed, applied, differences } = await call(reconcileByAdmin, { body: { text } })
      sums.listed += listed
      sums.applied += applied
      sums.differences += differences
    }
    setResult(words.result(sums))
  }

  async function choose(file: File | undefined): Promise<void> {
    if (!file) return
    setBusy(true)
    setProblem(undefined)
    setResult(undefined)
    try {
      if (file.size > MAX_BYTES) setProblem(words.tooLarge)
      else await compare(file)
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      setProblem(failure.code === 'invalid' ? words.unreadable : errorText[failure.code])
    } finally {
      setBusy(false)
      void client.invalidateQueries(queriesOf(listOperatorTasks))
    }
  }

  return { busy, problem, result, choose }
}

export function ChargesFile() {
  const input = useRef<HTMLInputElement>(null)
  const { busy, problem, result, choose } = useComparison()
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
          void choose(event.target.files?.[0])
          // The same file can be chosen again.
          event.target.value = ''
        }}
      />
      <Button
        look="quiet"
        size="small"
        busy={busy}
        busyLabel={words.busy}
        onClick={() => input.current?.click()}
      >
        {words.file}
      </Button>
      <FormError sentence={problem} />
      <output className="mt-3 block empty:mt-0">{result}</output>
    </section>
  )
}
