// AuthorityExports: files about a person for an authority, for the admin who requests them.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type AuthorityExport,
  authorityFilePath,
  listAuthorityExports,
  MAX_CASE_NUMBER,
  requestAuthorityExport,
} from '#contract/administration/authority-exports.ts'
import { getValidation } from '#contract/accounts/password.ts'
import { API_BASE } from '#contract/paths.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText, fieldSentence } from '#src/domain/api/errors-text.ts'
import { queriesOf, queryFor } from '#src/domain/queries/query.ts'
import { text } from '#src/domain/text/text.ts'
import { date, dateTime } from '#src/lib/format.ts'
import { Button } from '#src/ui/button.tsx'
import { Field, TextInput } from '#src/ui/fields/field.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { authorityText as words } from './authority-text.ts'

/** The list is read again while a file is being made, ms. */
const AGAIN_MS = 3000

const exportsQuery = (userId: string) => ({
  ...queryFor(listAuthorityExports, { params: { user_id: userId } }),
  staleTime: 60_000,
  refetchOnWindowFocus: false,
})

interface AuthorityExportsProps {
  userId: string
  onUnconfirmed: () => void
}

export function AuthorityExports({ userId, onUnconfirmed }: AuthorityExportsProps) {
  const [asking, setAsking] = useState(false)
  // Each reading is an audit entry: the list is read on request.
  const [shown, setShown] = useState(false)
  const reading = useQuery({
    ...exportsQuery(userId),
    enabled: shown,
    refetchInterval: ({ state }) =>
      state.data?.exports.some((it) => it.state === 'waiting') ? AGAIN_MS : false,
  })
  return (
    <section aria-labelledby="authority" className="px-4 pt-8">
      <h3 id="authority" className="pb-1 font-semibold">
        {words.title}
      </h3>
      <p className="pb-3 text-sm text-soft">{words.lead}</p>
      <div className="flex flex-wrap gap-3">
        <Button look="quiet" size="small" onClick={() => setAsking(true)}>
          {words.act}
        </Button>
        {!shown && (
          <Button look="quiet" size="small" onClick={() => setShown(true)}>
            {words.show}
          </Button>
        )}
      </div>
      {shown && reading.data?.exports.length === 0 && <p className="pt-3 text-sm text-soft">{words.none}</p>}
      <ul className="pt-2">
        {reading.data?.exports.map((it) => (
          <Row key={it.id} it={it} onUnconfirmed={onUnconfirmed} />
        ))}
      </ul>
      {asking && (
        <RequestSheet
          userId={userId}
          onClose={() => setAsking(false)}
          onDone={() => setShown(true)}
          onUnconfirmed={onUnconfirmed}
        />
      )}
    </section>
  )
}

const dayText = (day: string) => date(Date.parse(`${day}T00:00:00+09:00`))

function Row({ it, onUnconfirmed }: { it: AuthorityExport; onUnconfirmed: () => void }) {
  async function download() {
    try {
      const { valid_until: until } = await call(getValidation, {})
      if (until === null) return onUnconfirmed()
      window.location.assign(API_BASE + authorityFilePath(it.id))
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      toast(errorText[failure.code], 'error')
    }
  }
  return (
    <li className="flex flex-wrap items-center gap-3 border-t border-line py-3">
      <div className="min-w-0 flex-1">
        <p className="break-words">{it.case_number}</p>
        <p className="text-sm text-soft tabular-nums">
          {words.days(dayText(it.from), dayText(it.to))}・{words.states[it.state]}
          {it.state === 'ready' && it.expires_at && words.until(dateTime(Date.parse(it.expires_at)))}
        </p>
      </div>
      {it.state === 'ready' && (
        <Button look="quiet" size="small" onClick={() => void download()}>
          {words.download}
        </Button>
      )}
    </li>
  )
}

interface RequestSheetProps extends AuthorityExportsProps {
  onClose: () => void
  onDone: () => void
}

function RequestSheet({ userId, onClose, onDone, onUnconfirmed }: RequestSheetProps) {
  const [values, setValues] = useState({ case_number: '', from: '', to: '' })
  const [pressed, setPressed] = useState(false)
  const [busy, setBusy] = useState(false)
  const client = useQueryClient()
  const required = (name: keyof typeof values) =>
    pressed && values[name].trim() === '' ? fieldSentence('required') : undefined
  const isWrongOrder = values.from !== '' && values.to !== '' && values.to < values.from
  async function send() {
    setPressed(true)
    if (Object.values(values).some((it) => it.trim() === '') || isWrongOrder) return
    setBusy(true)
    try {
      await call(requestAuthorityExport, { params: { user_id: userId }, body: values })
      toast(words.requested, 'success')
      onDone()
      onClose()
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      if (failure.code === 'validation_required') onUnconfirmed()
      else toast(errorText[failure.code], 'error')
    } finally {
      setBusy(false)
      void client.invalidateQueries(queriesOf(listAuthorityExports))
    }
  }
  const field = (name: keyof typeof values, type: 'text' | 'date', error: string | undefined) => (
    <Field label={words[name]} error={error}>
      <TextInput
        type={type}
        maxLength={MAX_CASE_NUMBER}
        value={values[name]}
        onChange={({ target }) => setValues({ ...values, [name]: target.value })}
      />
    </Field>
  )
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && !busy && onClose()}
      title={words.act}
      description={words.content}
      closeLabel={text.close}
      footer={
        <Button wide look="ink" busy={busy} busyLabel={text.working} onClick={() => void send()}>
          {words.make}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        {field('case_number', 'text', required('case_number'))}
        {field('from', 'date', required('from'))}
        {field('to', 'date', required('to') ?? (isWrongOrder ? words.wrongOrder : undefined))}
      </div>
    </Sheet>
  )
}
