// MemberFilters: search, plan and CSV file of the list of members.
import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { ApiFailure } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { csvOf } from '#contract/text/csv.ts'
import { saveCsv } from '#src/lib/save-file.ts'
import { Button } from '#src/ui/button.tsx'
import { Field } from '#src/ui/fields/field.tsx'
import { Select } from '#src/ui/fields/select.tsx'
import { TextField } from '#src/ui/fields/text-field.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { type MemberFilter, plansQuery } from './creator.ts'
import { readAll, rowsOf } from './members-csv.ts'
import { memberText as words } from './text.ts'

interface MemberFiltersProps {
  filter: MemberFilter
  onChange: (filter: MemberFilter) => void
}

export function MemberFilters({ filter, onChange }: MemberFiltersProps) {
  const plans = (useQuery(plansQuery).data?.plans ?? []).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <search className="flex flex-wrap items-end gap-3 border-b border-line px-4 py-4 rail:px-6">
      <form
        key={filter.q ?? ''}
        className="flex min-w-60 flex-2 items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          const typed = new FormData(event.currentTarget).get('q')
          onChange({ ...filter, q: typeof typed === 'string' ? typed.trim() || undefined : undefined })
        }}
      >
        <TextField
          label={words.search}
          className="flex-1"
          name="q"
          type="search"
          enterKeyHint="search"
          autoComplete="off"
          maxLength={100}
          defaultValue={filter.q ?? ''}
        />
        <Button type="submit" look="quiet" size="small" className="min-h-12">
          {words.find}
        </Button>
      </form>
      <Field label={words.plan} className="min-w-44 flex-1">
        <Select
          options={[{ value: '', label: words.anyPlan }, ...plans]}
          value={filter.plan ?? ''}
          onChange={({ target }) => onChange({ ...filter, plan: target.value || undefined })}
        />
      </Field>
      <CsvButton filter={filter} />
    </search>
  )
}

function CsvButton({ filter }: { filter: MemberFilter }) {
  const [busy, setBusy] = useState(false)
  async function save() {
    setBusy(true)
    try {
      saveCsv(words.csv.fileName, csvOf(rowsOf(await readAll(filter))))
      toast(words.csv.done, 'success')
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      toast(`${words.csv.failed}${errorText[failure.code]}`, 'error')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      look="quiet"
      size="small"
      className="min-h-12"
      icon={<Download aria-hidden size={18} />}
      busy={busy}
      busyLabel={words.csv.busy}
      onClick={() => void save()}
    >
      {words.csv.save}
    </Button>
  )
}
