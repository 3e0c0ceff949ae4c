// PurchaseFilters: the month and the creator of the history, and its CSV file.
import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { ApiFailure } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { csvOf } from '#contract/text/csv.ts'
import { saveCsv } from '#src/lib/save-file.ts'
import { Button } from '#src/ui/button.tsx'
import { Field } from '#src/ui/fields/field.tsx'
import { type Option, Select } from '#src/ui/fields/select.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { readAll, rowsOf } from './csv.ts'
import { filtersQuery, type HistoryFilter, monthName } from './purchases.ts'
import { useRecordsOnly } from './records-only.ts'
import { purchaseText } from './text.ts'

const words = purchaseText.filters

interface PurchaseFiltersProps {
  filter: HistoryFilter
  onChange: (filter: HistoryFilter) => void
}

export function PurchaseFilters({ filter, onChange }: PurchaseFiltersProps) {
  const found = useQuery(filtersQuery(useRecordsOnly()?.caller)).data
  const months = (found?.months ?? []).map((it) => ({ value: it, label: monthName(it) }))
  const creators = (found?.creators ?? []).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <search
      aria-label={words.label}
      className="flex flex-wrap items-end gap-3 border-b border-line px-4 py-4 rail:px-6"
    >
      <Field label={words.month} className="min-w-36 flex-1">
        <Select
          options={[{ value: '', label: words.anyMonth }, ...withChosen(months, filter.month, monthName)]}
          value={filter.month ?? ''}
          onChange={({ target }) => onChange({ ...filter, month: target.value || undefined })}
        />
      </Field>
      <Field label={words.creator} className="min-w-36 flex-1">
        <Select
          options={[
            { value: '', label: words.anyCreator },
            ...withChosen(creators, filter.creator, () => words.unknown),
          ]}
          value={filter.creator ?? ''}
          onChange={({ target }) => onChange({ ...filter, creator: target.value || undefined })}
        />
      </Field>
      <CsvButton filter={filter} />
    </search>
  )
}

/** The options, with the chosen one also where the history does not have it. */
function withChosen(
  options: Option[],
  chosen: string | undefined,
  name: (value: string) => string,
): Option[] {
  if (chosen === undefined || options.some((it) => it.value === chosen)) return options
  return [{ value: chosen, label: name(chosen) }, ...options]
}

function CsvButton({ filter }: { filter: HistoryFilter }) {
  const [busy, setBusy] = useState(false)
  const caller = useRecordsOnly()?.caller
  async function save() {
    setBusy(true)
    try {
      const rows = rowsOf(await readAll(filter, caller?.call))
      saveCsv(purchaseText.csv.fileName(filter.month ? `-${filter.month}` : ''), csvOf(rows))
      toast(purchaseText.csv.done, 'success')
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      toast(`${purchaseText.csv.failed}${errorText[failure.code]}`, 'error')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      look="quiet"
      size="small"
      icon={<Download aria-hidden size={18} />}
      busy={busy}
      busyLabel={purchaseText.csv.busy}
      onClick={() => void save()}
    >
      {purchaseText.csv.save}
    </Button>
  )
}
