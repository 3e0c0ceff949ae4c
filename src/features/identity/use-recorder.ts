// The recording of the acts as a screen sees it: the camera, what was asked, the course of time, and the film.
import { useEffect, useRef, useState } from 'react'
import { askPrompts } from '#contract/identity/identity.ts'
import type { Asked } from '#device/jobs/identity.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { recognise } from '#src/domain/media/prepare/kind.ts'
import { identityRefusal, identityText, type CameraProblem } from '#src/domain/identity/text.ts'
import { closeCamera, openCamera } from './camera.ts'
import { record, runCourse, type Moment, type Recording } from './recording.ts'

export type RecorderState =
  | { is: 'closed' }
  | { is: 'opening' }
  | { is: 'ready'; stream: MediaStream; asked: Asked }
  | { is: 'running'; stream: MediaStream; asked: Asked; moment: Moment }
  | { is: 'recorded'; film: Blob; url: string; asked: Asked }
  /** Without a camera in the page: the acts to perform before the device's own. */
  | { is: 'byFile'; asked: Asked; refused?: string }
  | { is: 'problem'; problem: CameraProblem }
  | { is: 'refused'; sentence: string }

/** What runs beside what is shown. */
interface Run {
  shown: RecorderState
  /** Ends the course of time. */
  end?: () => void
  recording?: Recording
  gone?: boolean
}

const films = new Set(['mp4', 'm4v', 'mov', 'webm'])

async function ask(): Promise<Asked | { refused: string }> {
  try {
    const { id, prompts, expires_at } = await call(askPrompts, {})
    return { id, prompts, expiresAt: Date.parse(expires_at) }
  } catch (failure) {
    const known = failure instanceof ApiFailure
    return { refused: identityRefusal(known ? failure.code : 'internal', known ? failure.fields : {}) }
  }
}

export function useRecorder() {
  const [state, setState] = useState<RecorderState>({ is: 'closed' })
  const run = useRef<Run>({ shown: { is: 'closed' } })
  useEffect(() => {
    const mine = run.current
    mine.gone = false
    return () => {
      mine.gone = true
      mine.end?.()
      letGo(mine.shown)
    }
  }, [])

  const show = (next: RecorderState) => {
    // Whoever left meanwhile must not leave a camera on behind them.
    if (run.current.gone) return letGo(next)
    run.current.shown = next
    setState(next)
  }

  async function open(): Promise<void> {
    letGo(state)
    show({ is: 'opening' })
    const opened = await openCamera()
    if (opened.is === 'problem') return show(opened)
    const asked = await ask()
    if ('id' in asked) return show({ is: 'ready', stream: opened.stream, asked })
    closeCamera(opened.stream)
    show({ is: 'refused', sentence: asked.refused })
  }

  function start(): void {
    if (state.is !== 'ready') return
    const { stream, asked } = state
    run.current.end = runCourse(asked.prompts.length, (moment) => {
      if (moment.is === 'over') return void finish(stream, asked)
      if (moment.is === 'acting') run.current.recording ??= record(stream)
      show({ is: 'running', stream, asked, moment })
    })
  }

  async function finish(stream: MediaStream, asked: Asked): Promise<void> {
    const film = await run.current.recording?.end()
    delete run.current.recording
    closeCamera(stream)
    if (film) show({ is: 'recorded', film, url: URL.createObjectURL(film), asked })
    else show({ is: 'problem', problem: 'failed' })
  }

  function stop(): void {
    if (state.is !== 'running') return
    run.current.end?.()
    void run.current.recording?.end()
    delete run.current.recording
    show({ is: 'ready', stream: state.stream, asked: state.asked })
  }

  async function useOwnCamera(): Promise<void> {
    const asked = await ask()
    show('id' in asked ? { is: 'byFile', asked } : { is: 'refused', sentence: asked.refused })
  }

  async function take(file: File): Promise<void> {
    if (state.is !== 'byFile') return
    const seen = await recognise(file)
    if (!seen || !films.has(seen.format)) return show({ ...state, refused: identityText.notFilm })
    const film = file.slice(0, file.size, seen.mime)
    show({ is: 'recorded', film, url: URL.createObjectURL(film), asked: state.asked })
  }

  return { state, open, start, stop, ownCamera: useOwnCamera, take }
}

/** A camera's light goes out, a film's address is given back. */
function letGo(state: RecorderState): void {
  if ('stream' in state) closeCamera(state.stream)
  if (state.is === 'recorded') URL.revokeObjectURL(state.url)
}
