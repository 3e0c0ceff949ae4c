// VerifySteps: the steps of an identity check, stored on the device.
import { ChevronLeft } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { editAgain } from '#src/sw-bridge.ts'
import { identityRefusal, identityText, isAboutName } from '#src/domain/identity/text.ts'
import { Button } from '#src/ui/button.tsx'
import { ProgressLine } from '#src/ui/states/progress.tsx'
import { Skeleton } from '#src/ui/states/skeleton.tsx'
import { ConfirmStep } from './confirm-step.tsx'
import { DocumentStep } from './document-step.tsx'
import { LiveStep } from './live-step.tsx'
import { NameStep } from './name-step.tsx'
import { Problem } from './notes.tsx'
import { PhotoStep } from './photo-step.tsx'
import { shownStep, stepsOf } from './steps.ts'
import type { Step } from './step-names.ts'
import { useCheck, type Check } from './use-check.ts'

const words = identityText

interface VerifyStepsProps {
  ownerId: string
  wanted: Step | undefined
  onStep: (step: Step) => void
  onRecorded: () => void
  onSubmitted: () => void
}

export function VerifySteps(props: VerifyStepsProps) {
  const check = useCheck(props.ownerId)
  if (!check) return <Skeleton className="m-4 h-60" />
  return (
    <div className="mx-auto w-full max-w-120 px-4 py-6">
      {check.sending.is === 'no' ? (
        <Steps {...props} draft={check.draft} />
      ) : (
        <Submitted sending={check.sending} onStep={props.onStep} />
      )}
    </div>
  )
}

interface SubmittedProps extends Pick<VerifyStepsProps, 'onStep'> {
  sending: Exclude<Check['sending'], { is: 'no' }>
}

/** A submitted check, which changes only after a refusal. */
function Submitted({ sending, onStep }: SubmittedProps) {
  if (sending.is === 'sending') return <output className="block">{words.state.sending}</output>
  const lacksName = isAboutName(sending.fields)
  async function goBack(jobId: string) {
    await editAgain(jobId)
    if (lacksName) onStep('name')
  }
  return (
    <div className="flex flex-col gap-4">
      <Problem sentence={identityRefusal(sending.code, sending.fields)} />
      <Button look="ink" wide onClick={() => void goBack(sending.jobId)}>
        {lacksName ? words.name.toStep : words.backToPhotos}
      </Button>
    </div>
  )
}

function Steps({
  ownerId,
  draft,
  wanted,
  onStep,
  onRecorded,
  onSubmitted,
}: VerifyStepsProps & Pick<Check, 'draft'>) {
  const all = stepsOf(draft)
  const step = shownStep(draft, wanted)
  const at = all.indexOf(step)
  const next = () => onStep(all[at + 1] ?? 'confirm')
  const before = all[at - 1]
  return (
    <>
      <Head step={step} at={at} of={all.length} passport={draft?.documentKind === 'passport'} />
      {step === 'name' && <NameStep ownerId={ownerId} onNext={next} />}
      {step === 'document' && (
        <DocumentStep ownerId={ownerId} chosen={draft?.documentKind ?? null} onNext={next} />
      )}
      {(step === 'front' || step === 'back') && draft?.documentKind && (
        <PhotoStep
          key={step}
          ownerId={ownerId}
          part={step}
          kind={draft.documentKind}
          mediaId={draft[step]}
          onNext={next}
        />
      )}
      {step === 'live' && <LiveStep ownerId={ownerId} onDone={onRecorded} />}
      {step === 'confirm' && draft && (
        <ConfirmStep ownerId={ownerId} draft={draft} onChange={onStep} onSubmitted={onSubmitted} />
      )}
      {before && (
        <button
          type="button"
          onClick={() => onStep(before)}
          className="mt-4 inline-flex min-h-11 items-center gap-1 pr-3 text-soft hover:text-ink"
        >
          <ChevronLeft aria-hidden size={20} />
          {words.back}
        </button>
      )}
    </>
  )
}

/** The heading of a step, focused so that a screen reader starts there. */
function Head({ step, at, of, passport }: { step: Step; at: number; of: number; passport: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current !== step) heading.current?.focus()
    shown.current = step
  }, [step])
  const title = step === 'front' && passport ? words.passportTitle : words.stepTitles[step]
  return (
    <div className="mb-5">
      <ProgressLine label={words.steps} value={((at + 1) / of) * 100} />
      <p className="mt-3 text-sm text-soft tabular-nums">{words.stepOf(at + 1, of)}</p>
      <h2 ref={heading} tabIndex={-1} className="text-xl font-semibold outline-none">
        {title}
      </h2>
    </div>
  )
}
