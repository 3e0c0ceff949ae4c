// TemplatesSheet: the templates of decision texts, added and changed.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { newId } from '#contract/ids.ts'
import { MAX_TEMPLATE_NAME, templateUses } from '#contract/moderation/measures.ts'
import {
  listTemplates,
  removeTemplate,
  saveTemplate,
  type TemplateView,
} from '#contract/moderation/templates.ts'
import { queriesOf } from '#src/domain/queries/query.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Field, TextInput } from '#src/ui/fields/field.tsx'
import { Select } from '#src/ui/fields/select.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { templatesQuery, useCaseAction } from './cases.ts'
import { casesText as words } from './text.ts'
import { isSendable, TextWithTemplate } from './text-with-template.tsx'

type Draft = Pick<TemplateView, 'id' | 'use' | 'name' | 'text'>

export function TemplatesSheet({ onClose }: { onClose: () => void }) {
  const [edited, setEdited] = useState<Draft>()
  const templates = useQuery(templatesQuery).data?.templates ?? []
  if (edited) return <TemplateSheet key={edited.id} of={edited} onClose={() => setEdited(undefined)} />
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={words.templates}
      description={words.templatesLead}
      closeLabel={text.close}
      footer={
        <Button wide onClick={() => setEdited({ id: newId(), use: 'person', name: '', text: '' })}>
          {words.addTemplate}
        </Button>
      }
    >
      {templates.length === 0 ? (
        <p className="text-soft">{words.noTemplates}</p>
      ) : (
        <ul>
          {templates.map((it) => (
            <li key={it.id} className="border-b border-line">
              <button
                type="button"
                onClick={() => setEdited(it)}
                className="block w-full px-1 py-3 text-left hover:bg-sunk"
              >
                <span className="block truncate font-semibold">{it.name}</span>
                <span className="block truncate text-sm text-soft">
                  {words.uses[it.use]}・{it.text}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Sheet>
  )
}

function TemplateSheet({ of, onClose }: { of: Draft; onClose: () => void }) {
  const client = useQueryClient()
  const [draft, setDraft] = useState(of)
  const [pressed, setPressed] = useState(false)
  const { busy, perform } = useCaseAction(() => undefined)
  const params = { params: { template_id: draft.id } }
  const end = async (result: Promise<'done' | 'kept'>) => {
    if ((await result) !== 'done') return
    await client.invalidateQueries(queriesOf(listTemplates))
    onClose()
  }
  function save() {
    setPressed(true)
    const name = draft.name.trim()
    if (name === '' || name.length > MAX_TEMPLATE_NAME || !isSendable(draft.text)) return
    const body = { use: draft.use, name, text: draft.text }
    void end(perform(saveTemplate, { ...params, body }, words.saved, words.full))
  }
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && !busy && onClose()}
      title={of.name === '' ? words.addTemplate : words.editTemplate}
      closeLabel={text.close}
      footer={
        <div className="flex gap-3">
          {of.name !== '' && (
            <Button
              look="quiet"
              busy={busy}
              busyLabel={text.working}
              onClick={() => void end(perform(removeTemplate, params, words.removed))}
            >
              {words.remove}
            </Button>
          )}
          <Button wide look="ink" busy={busy} busyLabel={text.working} onClick={save}>
            {words.save}
          </Button>
        </div>
      }
    >
      <Fields draft={draft} pressed={pressed} onChange={setDraft} />
    </Sheet>
  )
}

interface FieldsProps {
  draft: Draft
  pressed: boolean
  onChange: (draft: Draft) => void
}

function Fields({ draft, pressed, onChange }: FieldsProps) {
  return (
    <div className="flex flex-col gap-5">
      <Field label={words.use}>
        <Select
          value={draft.use}
          options={templateUses.map((value) => ({ value, label: words.uses[value] }))}
          onChange={(event) =>
            onChange({ ...draft, use: templateUses.find((it) => it === event.target.value) ?? draft.use })
          }
        />
      </Field>
      <Field label={words.name} error={pressed && draft.name.trim() === '' ? words.required : undefined}>
        <TextInput
          value={draft.name}
          maxLength={MAX_TEMPLATE_NAME}
          onChange={(event) => onChange({ ...draft, name: event.target.value })}
        />
      </Field>
      <TextWithTemplate
        use={draft.use}
        label={words.text}
        hint=""
        value={draft.text}
        pressed={pressed}
        onChange={(value) => onChange({ ...draft, text: value })}
      />
    </div>
  )
}
