// Program of a media process, which works on one file outside the server's process.
import { constants, setPriority } from 'node:os'
import { endFfmpeg } from './ffmpeg.ts'
import { makePicture } from './picture.ts'
import { probe } from './probe.ts'
import {
  type CopyAnswer,
  type CopyTask,
  type LadderMade,
  type LadderTask,
  type MediaAnswer,
  type MediaTask,
  type ProbeTask,
  Refused,
} from './task.ts'
import type { VideoTask } from './video.ts'

type Task =
  | (MediaTask & { kind: 'image' })
  | (VideoTask & { kind: 'video' })
  | CopyTask
  | LadderTask
  | ProbeTask
type Answer = MediaAnswer | CopyAnswer | LadderMade | object

// Code for videos is loaded only for videos, so that a process for a picture starts in half the time.
async function work(task: Task): Promise<Answer> {
  switch (task.kind) {
    case 'image':
      return { is: 'made', media: await makePicture(task) }
    case 'copy': {
      const { copyVideo } = await import('./video.ts')
      return copyVideo(task)
    }
    case 'video': {
      const [{ makeVideo }, { wantsLadder }] = await Promise.all([
        import('./video.ts'),
        import('./ladder.ts'),
      ])
      const media = await makeVideo(task)
      return { is: 'made', media, ladder: await wantsLadder(media) }
    }
    case 'ladder': {
      const { makeLadder } = await import('./ladder.ts')
      return { is: 'ladder', steps: await makeLadder(task) }
    }
    case 'probe':
      return probe(task)
    default:
      return task satisfies never
  }
}

async function answer(task: Task): Promise<Answer> {
  try {
    return await work(task)
  } catch (error) {
    if (error instanceof Refused) return { is: 'refused', failure: error.failure }
    throw error
  }
}

function end(code: number): never {
  endFfmpeg()
  process.exit(code)
}

// Requests have priority over media processing.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

process.on('disconnect', () => end(0))
process.on('message', (task: Task) => {
  answer(task).then(
    (it) => process.send?.(it),
    (error: unknown) => {
      console.error(error)
      end(1)
    },
  )
})
