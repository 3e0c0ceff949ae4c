// WordsPage: the operator's words, which hold posts and comments for a review.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronLeft, Keyboard } from 'lucide-react'
import { useRef, useState } from 'react'
import type { OperatorWord } from '#contract/moderation/words.ts'
import { text } from '#src/domain/text/text.ts'
import type { Failed } from '#src/features/administration/check-list.tsx'
import { KeysSheet } from '#src/features/administration/keys-sheet.tsx'
import { useListKeys } from '#src/features/administration/list-keys.ts'
import { administrationText } from '#src/features/administration/text.ts'
import { Waiting } from '#src/features/administration/waiting.tsx'
import { date } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Field, TextInput } from '#src/ui/fields/field.tsx'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { wordsText as words } from './text.ts'
import { useAddWord, useRemoveWord, wordsQuery } from './words.ts'

export function WordsPage({ failed }: { failed: Failed }) {
  const list = useRef<HTMLDivElement>(null)
  const [helps, setHelps] = useState(false)
  useListKeys({ list, onHelp: () => setHelps(true) })
  return (
    <section aria-labelledby="words" className="pb-16">
      <Link to="/administration" className="inline-flex min-h-11 items-center gap-1 px-3 pt-2 font-semibold">
        <ChevronLeft aria-hidden size={20} />
        {administrationText.toDesk}
      </Link>
      <div className="flex items-center justify-between gap-2 px-4 pt-3 pb-2">
        <h2 id="words" className="text-lg font-semibold">
          {words.title}
        </h2>
        <Button look="quiet" size="small" aria-label={words.keys} onClick={() => setHelps(true)}>
          <Keyboard aria-hidden size={18} />
        </Button>
      </div>
      <p className="px-4 text-soft">{words.lead}</p>
      <p className="px-4 pt-2 pb-4 text-sm text-soft">{words.how}</p>
      <AddForm />
      <div ref={list}>
        <List failed={failed} />
      </div>
      <KeysSheet open={helps} onClose={() => setHelps(false)} />
    </section>
  )
}

function AddForm() {
  const { add, busy, error } = useAddWord()
  const [word, setWord] = useState('')
  const [note, setNote] = useState('')
  async function send() {
    if (!(await add(word, note))) return
    setWord('')
    setNote('')
  }
  return (
    <form
      noValidate
      className="flex flex-col gap-4 border-y border-line px-4 py-5"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <Field label={words.word} error={error}>
        <TextInput value={word} onChange={(event) => setWord(event.target.value)} />
      </Field>
      <Field label={words.note} hint={words.noteHint} optional={words.optional}>
        <TextInput value={note} onChange={(event) => setNote(event.target.value)} />
      </Field>
      <div>
        <Button type="submit" look="ink" busy={busy} busyLabel={text.working}>
          {words.add}
        </Button>
      </div>
    </form>
  )
}

function List({ failed }: { failed: Failed }) {
  const reading = useQuery(wordsQuery)
  if (reading.isPending) return <Waiting />
  if (!reading.data) return failed(reading.error, reading.refetch)
  if (reading.data.words.length === 0)
    return <EmptyState drawing="letter" title={words.none} text={words.noneText} />
  return (
    <ul aria-label={words.title}>
      {reading.data.words.map((it) => (
        <Row key={it.id} it={it} />
      ))}
    </ul>
  )
}

function Row({ it }: { it: OperatorWord }) {
  const { remove, busy } = useRemoveWord()
  const [open, setOpen] = useState(false)
  return (
    <li
      data-row
      tabIndex={-1}
      className="flex items-start gap-3 border-b border-line px-4 py-3 focus-visible:-outline-offset-2"
    >
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <span dir="auto" className="min-w-0 font-semibold break-words">
            {it.word}
          </span>
          {it.hits > 0 && <Badge>{words.hits(it.hits)}</Badge>}
        </p>
        {it.note !== '' && (
          <p dir="auto" className="text-sm break-words">
            {it.note}
          </p>
        )}
        <p className="text-sm text-soft tabular-nums">
          {words.addedBy(it.added_by?.name ?? words.someone, date(Date.parse(it.added_at)))}
        </p>
      </div>
      <Button
        look="quiet"
        size="small"
        data-open
        aria-label={words.removeOf(it.word)}
        onClick={() => setOpen(true)}
      >
        {words.remove}
      </Button>
      <AlertDialog
        open={open}
        onOpenChange={(next) => !busy && setOpen(next)}
        title={words.removeTitle(it.word)}
        description={words.removeText}
        cancel={text.cancel}
        action={{
          label: words.remove,
          busy,
          onSelect: () => void remove(it.id).then(() => setOpen(false)),
        }}
      />
    </li>
  )
}
