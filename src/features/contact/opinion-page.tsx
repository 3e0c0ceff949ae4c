// OpinionPage: the question to an author about a claim (意見照会), and the answer.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type AskedOpinion, readOpinion, sendOpinion } from '#contract/inquiries/inquiries.ts'
import { inquiryNames } from '#contract/inquiries/names.ts'
import { MAX_INQUIRY_TEXT } from '#contract/inquiries/states.ts'
import { lengthOf } from '#contract/text/text-rule.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { text } from '#src/domain/text/text.ts'
import { dateTime } from '#src/lib/format.ts'
import { Button } from '#src/ui/button.tsx'
import { Field, TextArea } from '#src/ui/fields/field.tsx'
import { RadioCards } from '#src/ui/fields/radio-cards.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { Skeleton } from '#src/ui/states/skeleton.tsx'
import type { Failed } from './contact-page.tsx'
import { isInvalidLink, type Link } from './own-inquiry.tsx'
import { contactText as words } from './text.ts'
import { Texts } from './texts.tsx'

export function OpinionPage({ link, failed }: { link: Link; failed: Failed }) {
  const reading = useQuery({
    queryKey: ['opinion-by-link', link.inquiry_id],
    queryFn: () => call(readOpinion, { body: link }),
    retry: false,
  })
  if (reading.isPending) return <Skeleton className="h-60" />
  if (!reading.data)
    return isInvalidLink(reading.error) ? <p>{words.linkInvalid}</p> : failed(reading.error, reading.refetch)
  const { asked } = reading.data
  return (
    <article className="flex flex-col gap-8">
      <header>
        <h2 className="text-lg font-semibold">{words.opinionTitle}</h2>
        <p className="mt-1 text-soft tabular-nums">{words.number(asked.number)}</p>
        <p className="mt-3 text-read">{asked.kind === 'intimate' ? words.hiddenLead : words.opinionLead}</p>
      </header>
      <Texts
        texts={[
          [words.kind, inquiryNames[asked.kind]],
          [words.url, asked.url],
          [words.claimant, asked.name === '' ? words.untold : asked.name],
          [asked.kind === 'intimate' ? words.ground : words.right, asked.right],
          [words.claim, asked.text],
          [words.question, asked.question],
        ]}
      />
      <Answer asked={asked} link={link} />
    </article>
  )
}

function Answer({ asked, link }: { asked: AskedOpinion; link: Link }) {
  const [opinion, setOpinion] = useState<'consents' | 'refuses'>('refuses')
  const [value, setValue] = useState('')
  const [pressed, setPressed] = useState(false)
  const { busy, send } = useOpinion(link)
  const now = lengthOf(value, MAX_INQUIRY_TEXT)
  if (asked.opinion !== null)
    return (
      <div aria-live="polite">
        <p className="font-semibold">{words.opinions[asked.opinion]}</p>
        <Texts texts={[[words.refusal, asked.answer]]} />
      </div>
    )
  if (asked.state === 'decided') return <p>{words.over}</p>
  function submit() {
    setPressed(true)
    if (opinion === 'refuses' && (value.trim() === '' || now > MAX_INQUIRY_TEXT)) return
    void send(opinion === 'refuses' ? { ...link, opinion, text: value } : { ...link, opinion })
  }
  return (
    <div className="flex flex-col gap-5">
      <p className="text-sm text-soft tabular-nums">{words.opinionDue(dateTime(Date.parse(asked.due_at)))}</p>
      <RadioCards
        label={words.opinion}
        value={opinion}
        onChange={setOpinion}
        cards={(['refuses', 'consents'] as const).map((it) => ({
          value: it,
          label: words[it],
          hint: it === 'refuses' ? words.refusesHint : words.consentsHint,
        }))}
      />
      {opinion === 'refuses' && (
        <Field
          label={words.refusal}
          error={pressed && value.trim() === '' ? words.required : undefined}
          count={{ now, max: MAX_INQUIRY_TEXT }}
        >
          <TextArea value={value} onChange={(event) => setValue(event.target.value)} />
        </Field>
      )}
      <Button look="seal" wide busy={busy} busyLabel={text.working} onClick={submit}>
        {words.sendOpinion}
      </Button>
    </div>
  )
}

function useOpinion(link: Link) {
  const client = useQueryClient()
  const queryKey = ['opinion-by-link', link.inquiry_id] as const
  const [busy, setBusy] = useState(false)
  async function send(body: Parameters<typeof call<typeof sendOpinion>>[1]['body']) {
    setBusy(true)
    try {
      client.setQueryData(queryKey, await call(sendOpinion, { body }))
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      toast(failure.code === 'gone' ? words.gone : errorText[failure.code], 'error')
      void client.invalidateQueries({ queryKey })
    } finally {
      setBusy(false)
    }
  }
  return { busy, send }
}
