// AuditFilters: narrows the audit log by act, kind, people and days.
import { Download } from 'lucide-react'
import { auditActs, auditSubjects } from '#contract/administration/audit-names.ts'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { Field, TextInput } from '#src/ui/fields/field.tsx'
import { Select } from '#src/ui/fields/select.tsx'
import { PersonFilter } from '#src/features/administration/people/person-filter.tsx'
import { auditCsvAddress, type AuditFilter, requestOf } from './audit.ts'
import { auditText } from './page-text.ts'
import { actNames, subjectNames } from './text.ts'

const words = auditText.filters

const actOptions = [
  { value: '', label: words.anyAct },
  ...auditActs
    .map((value) => ({ value, label: actNames[value] }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'ja')),
]
const kindOptions = [
  { value: '', label: words.anyKind },
  ...auditSubjects.map((value) => ({ value, label: subjectNames[value] })),
]

interface AuditFiltersProps {
  filter: AuditFilter
  onChange: (filter: AuditFilter) => void
}

export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const change = (part: AuditFilter) => onChange({ ...filter, ...part })
  const isUsed = Object.keys(requestOf(filter)).length > 0
  return (
    <search aria-label={words.label} className="border-b border-line px-4 pb-4">
      <div className="grid gap-3 rail:grid-cols-3">
        <Field label={words.act}>
          <Select
            options={actOptions}
            value={filter.act ?? ''}
            onChange={({ target }) => change({ act: auditActs.find((it) => it === target.value) })}
          />
        </Field>
        <PersonFilter label={words.actor} chosen={filter.actor} onChoose={(actor) => change({ actor })} />
        <PersonFilter
          label={words.subject}
          chosen={filter.subject}
          onChoose={(subject) => change({ subject })}
        />
        <Field label={words.kind}>
          <Select
            options={kindOptions}
            value={filter.kind ?? ''}
            onChange={({ target }) => change({ kind: auditSubjects.find((it) => it === target.value) })}
          />
        </Field>
        <Days filter={filter} change={change} />
      </div>
      <div className="flex flex-wrap items-center gap-3 pt-4">
        <a href={auditCsvAddress(filter)} download className={buttonClass('quiet', 'small')}>
          <Download aria-hidden size={18} className="mr-1.5" />
          {auditText.csv}
        </a>
        {isUsed && (
          <Button look="danger" size="small" onClick={() => onChange({})}>
            {words.clear}
          </Button>
        )}
        <p className="text-sm text-soft">{auditText.csvHint}</p>
      </div>
    </search>
  )
}

function Days({ filter, change }: { filter: AuditFilter; change: (part: AuditFilter) => void }) {
  const of = (name: 'from' | 'to') => (
    <Field label={words[name]}>
      <TextInput
        type="date"
        value={filter[name] ?? ''}
        onChange={({ target }) => change({ [name]: target.value || undefined })}
      />
    </Field>
  )
  return (
    <>
      {of('from')}
      {of('to')}
    </>
  )
}
