// ConfirmStep: a review of all parts, and the submission.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { IdentityPart } from '#contract/identity/identity.ts'
import { discardIdentity } from '#device/jobs/identity.ts'
import type { IdentityDraft } from '#device/database/schema.ts'
import { identityText } from '#src/domain/identity/text.ts'
import { ShownPicture } from '#src/domain/media/shown-picture.tsx'
import { submitCheck } from '#src/sw-bridge.ts'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { Button } from '#src/ui/button.tsx'
import { ownFactsQuery } from './identity-query.ts'
import { birthDay } from './name-step.tsx'
import { Problem } from './notes.tsx'
import { hasExpired, wantsBack } from './steps.ts'
import { usePart } from './use-part.ts'

const words = identityText

interface ConfirmStepProps {
  ownerId: string
  draft: IdentityDraft
  onChange: (step: IdentityPart | 'name') => void
  onSubmitted: () => void
}

export function ConfirmStep({ ownerId, draft, onChange, onSubmitted }: ConfirmStepProps) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const shown = (['front', 'back', 'live'] as const).filter((it) => it !== 'back' || wantsBack(draft))
  async function submit() {
    if (hasExpired(draft.asked, Date.now())) return setProblem(words.live.expired)
    setBusy(true)
    const end = await submitCheck(ownerId, wantsBack(draft)).catch(() => ({ is: 'incomplete' }) as const)
    setBusy(false)
    if (end.is === 'incomplete') setProblem(words.notStored)
    else onSubmitted()
  }
  return (
    <div className="flex flex-col gap-5">
      <p className="text-read">{words.confirm.about}</p>
      <Facts onChange={() => onChange('name')} />
      <p className="font-semibold">{draft.documentKind && words.documents[draft.documentKind]}</p>
      <ul className="flex flex-col">
        {shown.map((part) => (
          <Row key={part} draft={draft} part={part} onChange={() => onChange(part)} />
        ))}
      </ul>
      <p className="text-sm text-soft">{words.confirm.retention}</p>
      <Problem sentence={problem} />
      <Button look="seal" wide busy={busy} busyLabel={words.confirm.submitting} onClick={() => void submit()}>
        {words.confirm.submit}
      </Button>
      <Discard ownerId={ownerId} />
    </div>
  )
}

/** What the document is compared with. Without network it may not be known here; the server refuses a check without a name. */
function Facts({ onChange }: { onChange: () => void }) {
  const { data } = useQuery(ownFactsQuery)
  if (!data) return null
  const facts = [
    [words.name.legalName, data.legal_name],
    [words.name.kana, data.legal_name_kana],
    [words.name.birth, birthDay(data)],
  ] as const
  return (
    <section aria-label={words.name.facts} className="flex items-center gap-3">
      <dl className="grid min-w-0 flex-1 grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {facts.map(([name, value]) => (
          <div key={name} className="col-span-2 grid grid-cols-subgrid">
            <dt className="text-sm leading-6 text-soft">{name}</dt>
            <dd className="min-w-0 break-words tabular-nums">{value || words.name.missing}</dd>
          </div>
        ))}
      </dl>
      <Button look="quiet" size="small" aria-label={words.name.changeLabel} onClick={onChange}>
        {words.name.change}
      </Button>
    </section>
  )
}

function Row({ draft, part, onChange }: { draft: IdentityDraft; part: IdentityPart; onChange: () => void }) {
  const { url } = usePart(draft[part])
  const name = part === 'front' && draft.documentKind === 'passport' ? words.passportPage : words.parts[part]
  return (
    <li className="flex items-center gap-3 border-t border-line py-3 last:border-b">
      <span className="size-16 shrink-0 overflow-hidden rounded-field bg-sunk">
        {url &&
          (part === 'live' ? (
            <video
              src={url}
              muted
              playsInline
              preload="metadata"
              aria-hidden
              className="size-full object-cover"
            />
          ) : (
            <ShownPicture src={url} alt={words.shown(name)} />
          ))}
      </span>
      <span className="min-w-0 flex-1">{name}</span>
      <Button look="quiet" size="small" aria-label={words.confirm.change(name)} onClick={onChange}>
        {words.takeAgain}
      </Button>
    </li>
  )
}

/** Deletes the photographed parts from the device before they are sent. */
function Discard({ ownerId }: { ownerId: string }) {
  const [confirming, setConfirming] = useState(false)
  return (
    <>
      <Button look="danger" wide onClick={() => setConfirming(true)}>
        {words.discard}
      </Button>
      <AlertDialog
        open={confirming}
        onOpenChange={setConfirming}
        title={words.discardTitle}
        description={words.discardText}
        cancel={words.keepParts}
        action={{
          label: words.discardAction,
          danger: true,
          onSelect: () => {
            setConfirming(false)
            void discardIdentity(ownerId)
          },
        }}
      />
    </>
  )
}
