// useRecorder: camera, gestures, timing and file of a recording.
import { useEffect, useRef, useState } from 'react'
import { requestPrompts } from '#contract/identity/identity.ts'
import type { IssuedPrompts } from '#device/jobs/identity.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { recognise } from '#src/domain/media/prepare/kind.ts'
import { identityRefusal, identityText, type CameraProblem } from '#src/domain/identity/text.ts'
import { closeCamera, openCamera } from './camera.ts'
import { openRecording, runCourse, type Moment, type Recording } from './recording.ts'

export type RecorderState =
  | { is: 'closed' }
  | { is: 'opening' }
  | { is: 'ready'; stream: MediaStream; issued: IssuedPrompts }
  | { is: 'running'; stream: MediaStream; issued: IssuedPrompts; moment: Moment }
  | { is: 'recorded'; film: Blob; url: string; issued: IssuedPrompts }
  /** Gestures to be recorded by the device's camera app. */
  | { is: 'byFile'; issued: IssuedPrompts; refused?: string }
  | { is: 'problem'; problem: CameraProblem }
  | { is: 'refused'; sentence: string }

/** The running recording and its gestures. */
interface Course {
  end?: () => void
  recording?: Recording
}

const films = new Set(['mp4', 'm4v', 'mov', 'webm'])

async function issuePrompts(): Promise<IssuedPrompts | { refused: string }> {
  try {
    const { id, prompts, expires_at } = await call(requestPrompts, {})
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
  const issued = await issuePrompts()
  if ('id' in issued) return { is: 'ready', stream: opened.stream, issued }
  closeCamera(opened.stream)
  return { is: 'refused', sentence: issued.refused }
}

/** The displayed state; camera and file are released with the page. */
function useShown() {
  const [state, setState] = useState<RecorderState>({ is: 'closed' })
  const page = useRef<{ shown: RecorderState; left: boolean }>({ shown: { is: 'closed' }, left: false })
  useEffect(() => {
    const current = page.current
    current.left = false
    return () => {
      current.left = true
      release(current.shown)
    }
  }, [])
  const show = (next: RecorderState) => {
    // The camera must be released when the page is left.
    if (page.current.left) return release(next)
    page.current.shown = next
    setState(next)
  }
  return { state, show }
}

export function useRecorder() {
  const course = useRef<Course>({})
  useEffect(() => {
    const current = course.current
    return () => current.end?.()
  }, [])
  const { state, show } = useShown()

  async function open(): Promise<void> {
    release(state)
    show({ is: 'opening' })
    show(await prepare())
  }

  function start(): void {
    if (state.is !== 'ready') return
    const { stream, issued } = state
    course.current.end = runCourse(issued.prompts.length, (moment) => {
      if (moment.is === 'over') return void finish(stream, issued)
      if (moment.is === 'performing') course.current.recording ??= openRecording(stream)
      show({ is: 'running', stream, issued, moment })
    })
  }

  async function finish(stream: MediaStream, issued: IssuedPrompts): Promise<void> {
    const film = await course.current.recording?.end()
    delete course.current.recording
    closeCamera(stream)
    if (film) show({ is: 'recorded', film, url: URL.createObjectURL(film), issued })
    else show({ is: 'problem', problem: 'failed' })
  }

  function stop(): void {
    if (state.is !== 'running') return
    course.current.end?.()
    void course.current.recording?.end()
    delete course.current.recording
    show({ is: 'ready', stream: state.stream, issued: state.issued })
  }

  async function useOwnCamera(): Promise<void> {
    const issued = await issuePrompts()
    show('id' in issued ? { is: 'byFile', issued } : { is: 'refused', sentence: issued.refused })
  }

  async function take(file: File): Promise<void> {
    if (state.is !== 'byFile') return
    const seen = await recognise(file)
    if (!seen || !films.has(seen.format)) return show({ ...state, refused: identityText.notFilm })
    const film = file.slice(0, file.size, seen.mime)
    show({ is: 'recorded', film, url: URL.createObjectURL(film), issued: state.issued })
  }

  return { state, open, start, stop, ownCamera: useOwnCamera, take }
}

/** Releases the camera and the object URL. */
function release(state: RecorderState): void {
  if ('stream' in state) closeCamera(state.stream)
  if (state.is === 'recorded') URL.revokeObjectURL(state.url)
}
