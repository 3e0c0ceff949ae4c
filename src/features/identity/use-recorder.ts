// useRecorder: camera, gestures, timing and file of a recording.
import { useEffect, useRef, useState } from 'react'
import { askPrompts } from '#contract/identity/identity.ts'
import type { IssuedPrompts } from '#device/jobs/identity.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { recognise } from '#src/domain/media/prepare/kind.ts'
import { identityRefusal, identityText, type CameraProblem } from '#src/domain/identity/text.ts'
import { closeCamera, openCamera } from './camera.ts'
import { openRecording, runCourse, type Moment, type Recording } from './recording.ts'

export type RecorderState =
  | { is: 'closed' }
  | { is: 'opening' }
  | { is: 'ready'; stream: MediaStream; asked: IssuedPrompts }
  | { is: 'running'; stream: MediaStream; asked: IssuedPrompts; moment: Moment }
  | { is: 'recorded'; film: Blob; url: string; asked: IssuedPrompts }
  /** Gestures to be recorded by the device's camera app. */
  | { is: 'byFile'; asked: IssuedPrompts; refused?: string }
  | { is: 'problem'; problem: CameraProblem }
  | { is: 'refused'; sentence: string }

/** The running recording and its gestures. */
interface Course {
  end?: () => void
  recording?: Recording
}

const films = new Set(['mp4', 'm4v', 'mov', 'webm'])

async function ask(): Promise<IssuedPrompts | { refused: string }> {
  try {
    const { id, prompts, expires_at } = await call(askPrompts, {})
    return { id, prompts, expiresAt: Date.parse(expires_at) }
  } catch (failure) {
    const known = failure instanceof ApiFailure
    return { refused: identityRefusal(known ? failure.code : 'internal', known ? failure.fields : {}) }
  }
}

/** Opens the camera and requests the gestures. */
async function prepare(): Promise<RecorderState> {
  const opened = await openCamera()
  if (opened.is === 'problem') return opened
  const asked = await ask()
  if ('id' in asked) return { is: 'ready', stream: opened.stream, asked }
  closeCamera(opened.stream)
  return { is: 'refused', sentence: asked.refused }
}

/** The displayed state; camera and file are released with the page. */
function useShown() {
  const [state, setState] = useState<RecorderState>({ is: 'closed' })
  const page = useRef<{ shown: RecorderState; gone: boolean }>({ shown: { is: 'closed' }, gone: false })
  useEffect(() => {
    const mine = page.current
    mine.gone = false
    return () => {
      mine.gone = true
      release(mine.shown)
    }
  }, [])
  const show = (next: RecorderState) => {
    // The camera must be released when the page is left.
    if (page.current.gone) return release(next)
    page.current.shown = next
    setState(next)
  }
  return { state, show }
}

export function useRecorder() {
  const course = useRef<Course>({})
  useEffect(() => {
    const mine = course.current
    return () => mine.end?.()
  }, [])
  const { state, show } = useShown()

  async function open(): Promise<void> {
    release(state)
    show({ is: 'opening' })
    show(await prepare())
  }

  function start(): void {
    if (state.is !== 'ready') return
    const { stream, asked } = state
    course.current.end = runCourse(asked.prompts.length, (moment) => {
      if (moment.is === 'over') return void finish(stream, asked)
      if (moment.is === 'acting') course.current.recording ??= openRecording(stream)
      show({ is: 'running', stream, asked, moment })
    })
  }

  async function finish(stream: MediaStream, asked: IssuedPrompts): Promise<void> {
    const film = await course.current.recording?.end()
    delete course.current.recording
    closeCamera(stream)
    if (film) show({ is: 'recorded', film, url: URL.createObjectURL(film), asked })
    else show({ is: 'problem', problem: 'failed' })
  }

  function stop(): void {
    if (state.is !== 'running') return
    course.current.end?.()
    void course.current.recording?.end()
    delete course.current.recording
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

/** Releases the camera and the object URL. */
function release(state: RecorderState): void {
  if ('stream' in state) closeCamera(state.stream)
  if (state.is === 'recorded') URL.revokeObjectURL(state.url)
}
