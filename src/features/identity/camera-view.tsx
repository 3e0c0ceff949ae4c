// CameraView: the camera's picture and the current gesture.
import { useEffect, useRef } from 'react'
import { identityText, promptText } from '#src/domain/identity/text.ts'
import { Button } from '#src/ui/button.tsx'
import type { RecorderState } from './use-recorder.ts'

const words = identityText.live

interface CameraViewProps {
  state: Extract<RecorderState, { is: 'ready' | 'running' }>
  onStart: () => void
  onStop: () => void
}

export function CameraView({ state, onStart, onStop }: CameraViewProps) {
  const video = useRef<HTMLVideoElement>(null)
  const { stream } = state
  useEffect(() => {
    if (video.current) video.current.srcObject = stream
  }, [stream])
  const running = state.is === 'running'
  return (
    <div className="flex flex-col gap-4">
      <div className="relative overflow-hidden rounded-media bg-black">
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a live picture without sound */}
        <video
          ref={video}
          autoPlay
          muted
          playsInline
          aria-label={identityText.cameraView}
          // Mirrored on the screen only; the recording is not.
          className="aspect-[4/3] w-full -scale-x-100 object-cover"
        />
        {running && state.moment.is === 'performing' && (
          <span className="absolute top-3 left-3 flex items-center gap-2 rounded-pill bg-black/60 px-3 py-1 text-sm text-white tabular-nums">
            <span aria-hidden className="size-2.5 rounded-pill bg-seal-fill" />
            {words.recording}・{words.left(state.moment.seconds)}
          </span>
        )}
      </div>
      <Now state={state} />
      {running ? (
        <Button look="quiet" wide onClick={onStop}>
          {words.stop}
        </Button>
      ) : (
        <Button look="seal" wide onClick={onStart}>
          {words.start}
        </Button>
      )}
    </div>
  )
}

/** The current instruction, read out when it changes. */
function Now({ state }: Pick<CameraViewProps, 'state'>) {
  return (
    <output
      aria-live="assertive"
      aria-atomic="true"
      className="grid min-h-22 content-center rounded-media border border-line bg-raised px-4 py-3 text-center"
    >
      <Sentence state={state} />
    </output>
  )
}

function Sentence({ state }: Pick<CameraViewProps, 'state'>) {
  if (state.is === 'ready') return <p className="text-soft">{words.about}</p>
  const { moment, issued } = state
  if (moment.is === 'counting')
    return <p className="text-lg font-semibold tabular-nums">{words.starting(moment.seconds)}</p>
  if (moment.is === 'over') return null
  return (
    <>
      <p className="text-sm text-soft tabular-nums">
        {words.gesture(moment.gesture + 1, issued.prompts.length)}
      </p>
      <p className="text-xl font-semibold">{promptText(issued.prompts[moment.gesture] ?? '')}</p>
    </>
  )
}
