// LiveStep: records the requested gestures, and plays the recording back.
import { Camera, Video } from 'lucide-react'
import { useState } from 'react'
import { storePrompts } from '#device/jobs/identity.ts'
import { cameraText, identityText, promptText } from '#src/domain/identity/text.ts'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { CameraView } from './camera-view.tsx'
import { storeRecording } from './store-part.ts'
import { Problem, Tips } from './notes.tsx'
import { hasExpired } from './steps.ts'
import { useRecorder, type RecorderState } from './use-recorder.ts'

const words = identityText.live

export function LiveStep({ ownerId, onDone }: { ownerId: string; onDone: () => void }) {
  const it = useRecorder()
  const { state } = it
  switch (state.is) {
    case 'closed':
    case 'opening':
      return <Before busy={state.is === 'opening'} onOpen={() => void it.open()} />
    case 'ready':
    case 'running':
      return <CameraView state={state} onStart={it.start} onStop={it.stop} />
    case 'recorded':
      return <Playback ownerId={ownerId} film={state} onRetake={() => void it.open()} onDone={onDone} />
    case 'byFile':
      return <OwnCamera state={state} onTake={(file) => void it.take(file)} />
    case 'problem':
      return (
        <div className="flex flex-col gap-4">
          <Problem sentence={cameraText[state.problem]} />
          <Button look="ink" wide onClick={() => void it.open()}>
            {identityText.tryAgain}
          </Button>
          <Button look="quiet" wide icon={<Video size={20} />} onClick={() => void it.ownCamera()}>
            {words.ownCamera}
          </Button>
        </div>
      )
    case 'refused':
      return (
        <div className="flex flex-col gap-4">
          <Problem sentence={state.sentence} />
          <Button look="ink" wide onClick={() => void it.open()}>
            {identityText.tryAgain}
          </Button>
        </div>
      )
    default:
      return state satisfies never
  }
}

function Before({ busy, onOpen }: { busy: boolean; onOpen: () => void }) {
  return (
    <div className="flex flex-col gap-5">
      <p className="text-read">{words.about}</p>
      <Tips tips={words.tips} />
      <Button
        look="seal"
        wide
        icon={<Camera size={20} />}
        busy={busy}
        busyLabel={words.opening}
        onClick={onOpen}
      >
        {words.openCamera}
      </Button>
    </div>
  )
}

/** Input for the device's camera app, after reading the gestures. */
function OwnCamera({
  state,
  onTake,
}: {
  state: Extract<RecorderState, { is: 'byFile' }>
  onTake: (file: File) => void
}) {
  return (
    <div className="flex flex-col gap-5">
      <p className="text-read">{words.ownAbout}</p>
      <ol className="flex list-decimal flex-col gap-2 pl-6 text-read font-semibold">
        {state.issued.prompts.map((prompt) => (
          <li key={prompt}>{promptText(prompt)}</li>
        ))}
      </ol>
      <Problem sentence={state.refused} />
      <label
        className={`${buttonClass('seal', 'normal', true)} focus-within:outline-2 focus-within:outline-ink`}
      >
        <Video aria-hidden size={20} className="mr-2" />
        {words.ownStart}
        <input
          type="file"
          accept="video/*"
          capture="user"
          className="sr-only"
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? []
            event.currentTarget.value = ''
            if (file) onTake(file)
          }}
        />
      </label>
    </div>
  )
}

interface PlaybackProps {
  ownerId: string
  film: Extract<RecorderState, { is: 'recorded' }>
  onRetake: () => void
  onDone: () => void
}

function Playback({ ownerId, film, onRetake, onDone }: PlaybackProps) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  async function use() {
    if (hasExpired(film.issued, Date.now())) return setProblem(words.expired)
    setBusy(true)
    await storePrompts(ownerId, film.issued, Date.now())
    const refused = await storeRecording(ownerId, film.film)
    setBusy(false)
    if (refused) setProblem(refused)
    else onDone()
  }
  return (
    <div className="flex flex-col gap-4">
      <output className="block">{words.done}</output>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- the person's own recording of a moment ago */}
      <video
        src={film.url}
        controls
        playsInline
        aria-label={words.playback}
        className="aspect-[4/3] w-full rounded-media bg-black object-contain"
      />
      <Problem sentence={problem} />
      <Button look="seal" wide busy={busy} busyLabel={identityText.storing} onClick={() => void use()}>
        {words.use}
      </Button>
      <Button look="quiet" wide onClick={onRetake}>
        {words.retake}
      </Button>
    </div>
  )
}
