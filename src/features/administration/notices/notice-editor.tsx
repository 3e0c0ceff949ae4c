// NoticeEditor: writes a new notice, or changes a stored one, beside its preview.
import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import type { NoticeDetail } from '#contract/notices/admin-notices.ts'
import { MAX_NOTICE_BODY, MAX_NOTICE_TITLE } from '#contract/notices/content.ts'
import { graphemesIn } from '#contract/text/graphemes.ts'
import type { Confirms } from '#src/features/administration/evidence.tsx'
import { restoredText, text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Check } from '#src/ui/fields/check.tsx'
import { Field, TextArea, TextInput } from '#src/ui/fields/field.tsx'
import { Restored } from '#src/ui/states/restored.tsx'
import { AudienceFields, type FormPartProps } from './audience-fields.tsx'
import { type ArticleView, NoticePreview } from './notice-preview.tsx'
import { NoticeStatus } from './notice-status.tsx'
import { PicturePart } from './picture-part.tsx'
import { noticesText as words } from './text.ts'
import { useNoticeForm } from './use-notice-form.ts'

interface NoticeEditorProps {
  /** Undefined for a new one. */
  notice: NoticeDetail | undefined
  Article: ArticleView
  Confirmation: Confirms
  /** Called with the id of a new notice, and without one once a draft is deleted. */
  onGo: (id: string | undefined) => void
}

export function NoticeEditor({ notice, Article, Confirmation, onGo }: NoticeEditorProps) {
  const { form, problems, dirty, isRestored, outdated, busy, change, save, renew } = useNoticeForm(
    notice,
    onGo,
  )
  const isFixed = notice !== undefined && notice.state !== 'draft' && notice.state !== 'scheduled'
  const isWithdrawn = notice?.state === 'withdrawn'
  const part = { form, problems, onChange: change }
  return (
    <section data-wide-page aria-label={notice ? words.edit : words.add} className="pb-16">
      <Link to="/admin/notice" className="inline-flex min-h-11 items-center gap-1 px-3 pt-2 font-semibold">
        <ChevronLeft aria-hidden size={20} />
        {words.toList}
      </Link>
      {notice && (
        <NoticeStatus
          notice={notice}
          dirty={dirty}
          Confirmation={Confirmation}
          onRemoved={() => onGo(undefined)}
        />
      )}
      <div className="grid gap-8 px-4 pt-4 side:grid-cols-2">
        <form
          noValidate
          className="flex min-w-0 flex-col gap-5"
          onSubmit={(event) => {
            event.preventDefault()
            void save()
          }}
        >
          {isRestored && <Restored {...restoredText} onDiscard={renew} />}
          {isFixed && <p className="text-soft">{isWithdrawn ? words.withdrawnFixed : words.fixed}</p>}
          <fieldset disabled={isWithdrawn} className="flex min-w-0 flex-col gap-5">
            <WordsPart {...part} />
            {!isWithdrawn && <PicturePart notice={notice} />}
            {!isFixed && <AudienceFields {...part} />}
            <BarPart {...part} />
          </fieldset>
          {outdated && <Outdated onRenew={renew} />}
          {!isWithdrawn && (
            <div className="flex flex-wrap items-center gap-3">
              <Button type="submit" look="ink" busy={busy} busyLabel={text.working}>
                {isFixed ? words.saveChanges : words.save}
              </Button>
              {dirty && notice && <p className="text-sm text-soft">{words.unsaved}</p>}
            </div>
          )}
        </form>
        <div className="min-w-0">
          <NoticePreview form={form} stored={notice} Article={Article} />
        </div>
      </div>
    </section>
  )
}

/** Another person has changed the notice meanwhile. */
function Outdated({ onRenew }: { onRenew: () => void }) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 text-care-text">
      <p className="min-w-0 flex-1 basis-60">{words.outdated}</p>
      <Button look="quiet" size="small" onClick={onRenew}>
        {words.renew}
      </Button>
    </div>
  )
}

function WordsPart({ form, problems, onChange }: FormPartProps) {
  return (
    <>
      <Field
        label={words.fields.title}
        error={problems.title}
        count={{ now: graphemesIn(form.title), max: MAX_NOTICE_TITLE }}
      >
        <TextInput value={form.title} onChange={({ target }) => onChange({ title: target.value })} />
      </Field>
      <Field
        label={words.fields.body}
        hint={words.fields.bodyHint}
        error={problems.body}
        count={{ now: graphemesIn(form.body), max: MAX_NOTICE_BODY }}
      >
        <TextArea rows={10} value={form.body} onChange={({ target }) => onChange({ body: target.value })} />
      </Field>
    </>
  )
}

function BarPart({ form, onChange }: FormPartProps) {
  const { urgent, urgentHint, until, untilHint, optional } = words.fields
  return (
    <>
      <Check
        label={urgent}
        hint={urgentHint}
        checked={form.urgent}
        onChange={(next) => onChange({ urgent: next })}
      />
      {form.urgent && (
        <Field label={until} optional={optional} hint={untilHint}>
          <TextInput
            type="datetime-local"
            value={form.until}
            onChange={({ target }) => onChange({ until: target.value })}
          />
        </Field>
      )}
    </>
  )
}
